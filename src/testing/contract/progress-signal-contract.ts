import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TaskChange } from '../../domain/task/task-change.js';
import type { ProgressSignal } from '../../progress/progress-signal.js';

/** A signal in working order, and what another process would hold of it; the same object where it reaches no further. */
export interface ProgressSignalHarness {
  readonly here: ProgressSignal;
  readonly there: ProgressSignal;
  close(): Promise<void>;
}

/** Collects what a signal announces. */
class Ear {
  readonly heard: TaskChange[] = [];
  private arrived: (() => void) | undefined;
  readonly close: () => void;

  constructor(signal: ProgressSignal) {
    this.close = signal.subscribe((change) => {
      this.heard.push(change);
      this.arrived?.();
    });
  }

  /** Resolves when the task was announced; it may have been before. */
  async hears(taskId: string): Promise<void> {
    while (!this.tasks.includes(taskId)) await new Promise<void>((resolve) => (this.arrived = resolve));
  }

  get tasks(): string[] {
    return this.heard.map((change) => change.taskId);
  }
}

const change = (taskId: string): TaskChange => ({ tenantId: '0', taskId });

/** What every progress signal guarantees while it is in working order. */
export function progressSignalContract(name: string, open: () => Promise<ProgressSignalHarness>): void {
  describe(`${name} as a progress signal`, () => {
    let harness: ProgressSignalHarness;

    beforeEach(async () => {
      harness = await open();
    });
    afterEach(() => harness.close());

    it('tells listeners here and elsewhere which task of which tenant changed', async () => {
      const ears = [new Ear(harness.here), new Ear(harness.there)];
      harness.here.announce({ tenantId: '7', taskId: '9223372036854775807' });
      for (const ear of ears) {
        await ear.hears('9223372036854775807');
        expect(ear.heard).toContainEqual({ tenantId: '7', taskId: '9223372036854775807' });
      }
    });

    it('goes on telling whoever stays when another listener ends, and tells that one no more', async () => {
      const [gone, stays] = [new Ear(harness.here), new Ear(harness.here)];
      gone.close();
      gone.close();
      harness.there.announce(change('1'));
      await stays.hears('1');
      expect(gone.heard).toEqual([]);
    });

    it('takes one function that subscribes twice as two listeners', async () => {
      const heard: string[] = [];
      const listener = ({ taskId }: TaskChange): unknown => heard.push(taskId);
      const [endFirst] = [harness.here.subscribe(listener), harness.here.subscribe(listener)];
      endFirst();
      const ear = new Ear(harness.here);
      harness.there.announce(change('2'));
      await ear.hears('2');
      expect(heard).toEqual(['2']);
    });

    it('takes announcements that nobody listens to', () => {
      expect(() => harness.here.announce(change('3'))).not.toThrow();
    });

    it('says that it reaches all', () => {
      expect([harness.here.reachesAll, harness.there.reachesAll]).toEqual([true, true]);
    });
  });
}
