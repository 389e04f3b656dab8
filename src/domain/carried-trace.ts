/** A hop of a trace as it travels, in headers and in rows. https://www.w3.org/TR/trace-context/ */
export interface CarriedTrace {
  readonly traceparent: string;
  readonly tracestate?: string;
}
