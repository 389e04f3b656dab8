import { open, type FileHandle } from 'node:fs/promises';

/** Bytes that tell what a file is. */
const headBytes = 4_096;

/** A source as a file that can be read in any order. */
export class SourceFile {
  private constructor(
    private readonly handle: FileHandle,
    readonly sizeBytes: number,
    /** Its first bytes. */
    readonly head: Buffer,
  ) {}

  static async open(path: string): Promise<SourceFile> {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      return new SourceFile(handle, size, await readFrom(handle, 0, Math.min(headBytes, size)));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The bytes from `start` to before `end`, fewer where the file ends. */
  read(start: number, end: number): Promise<Buffer> {
    return readFrom(this.handle, start, Math.max(Math.min(end, this.sizeBytes) - start, 0));
  }

  /** The whole file. */
  readAll(): Promise<Buffer> {
    return this.read(0, this.sizeBytes);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

async function readFrom(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
