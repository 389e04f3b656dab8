import type { PartHealth } from '../messaging/message-publisher.js';

/** How long a part may take to say how it is. */
const answerWithinMs = 2_000;

/** One part that the service leans on. */
export interface ReadinessProbe {
  readonly name: string;
  /** Without it the service cannot do its work. */
  readonly needed: boolean;
  check(): PartHealth | Promise<PartHealth>;
}

/** What a probe found; a part that fails or stays silent is down. */
export interface ProbeResult extends PartHealth {
  readonly name: string;
  readonly needed: boolean;
}

/** Asks every part at once. */
export function askAll(probes: readonly ReadinessProbe[]): Promise<ProbeResult[]> {
  return Promise.all(probes.map((probe) => ask(probe)));
}

async function ask(probe: ReadinessProbe): Promise<ProbeResult> {
  const { name, needed } = probe;
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<PartHealth>((resolve) => {
    timer = setTimeout(
      () => resolve({ up: false, detail: `It did not answer within ${answerWithinMs} ms.` }),
      answerWithinMs,
    );
  });
  try {
    return { name, needed, ...(await Promise.race([probe.check(), silent])) };
  } catch {
    // Why it fails is in the log of the part; an open page is no place for it.
    return { name, needed, up: false, detail: 'It failed when it was asked.' };
  } finally {
    clearTimeout(timer);
  }
}
