/** What the fixtures use of pdfkit, which brings no types along. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream';

  interface TextOptions {
    readonly align?: 'left' | 'justify' | 'center';
    readonly width?: number;
    readonly paragraphGap?: number;
    readonly lineBreak?: boolean;
    readonly continued?: boolean;
  }

  interface OutlineItem {
    addItem(title: string): OutlineItem;
  }

  class PDFDocument extends Readable {
    constructor(options: {
      readonly size?: string;
      readonly margin?: number;
      readonly autoFirstPage?: boolean;
      readonly userPassword?: string;
      readonly ownerPassword?: string;
      readonly info?: { readonly CreationDate: Date };
    });
    readonly outline: OutlineItem;
    addPage(): this;
    font(name: string): this;
    fontSize(size: number): this;
    text(text: string, options?: TextOptions): this;
    text(text: string, x: number, y: number, options?: TextOptions): this;
    moveDown(lines?: number): this;
    list(items: readonly (string | readonly string[])[]): this;
    rect(x: number, y: number, width: number, height: number): this;
    fill(colour: string): this;
    end(): void;
  }
  export default PDFDocument;
}
