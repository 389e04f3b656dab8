import { Transform, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fromRandomAccessReader, RandomAccessReader, type Entry, type ZipFile as OpenZip } from 'yauzl';
import { AppError } from '../../../domain/errors.js';
import { corrupt, tooLarge, type ReadLimits } from '../read-limits.js';
import type { SourceFile } from '../source-file.js';
import { rangeStream } from './range-stream.js';

/** A part so small cannot hurt, however well it was packed. */
const ratioAskedFromBytes = 1024 * 1024;

/**
 * The parts of an archive, each read on its own. What is unpacked is counted as it comes, whatever the archive says of
 * itself; the limits hold for all parts together.
 */
export class ZipFile {
  private inflated = 0;

  private constructor(
    private readonly zip: OpenZip,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly limits: ReadLimits,
  ) {}

  /** @throws AppError CORRUPT if it is no archive or a damaged one, TOO_LARGE, ENCRYPTED. */
  static async open(file: SourceFile, limits: ReadLimits): Promise<ZipFile> {
    const reader = new FileReader(file);
    const zip = await new Promise<OpenZip>((resolve, reject) => {
      const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true } as const;
      fromRandomAccessReader(reader, file.sizeBytes, options, (error, opened) => {
        if (error) reject(corrupt('it is no complete archive', error));
        else resolve(opened);
      });
    });
    return new ZipFile(zip, await listEntries(zip, limits), limits);
  }

  /** Names of all parts, in the order of the archive. */
  get names(): string[] {
    return [...this.entries.values()].map(({ fileName }) => fileName);
  }

  has(name: string): boolean {
    return this.entries.has(keyOf(name));
  }

  /** Bytes of a part as the archive says, unpacked; 0 if there is none. */
  sizeOf(name: string): number {
    return this.entries.get(keyOf(name))?.uncompressedSize ?? 0;
  }

  /**
   * A part, unpacked as it is read.
   *
   * @param isSecondLook it is read twice, and counts once against what all parts may come to.
   * @throws AppError CORRUPT if there is no such part; the stream fails as `open` does.
   */
  async stream(name: string, { isSecondLook = false } = {}): Promise<Readable> {
    const entry = this.entries.get(keyOf(name));
    if (!entry) throw corrupt(`its part "${shortPartName(name)}" is missing`);
    const packed = await new Promise<Readable>((resolve, reject) => {
      this.zip.openReadStream(entry, (error, stream) => {
        if (error) reject(corrupt(`its part "${shortPartName(name)}" cannot be unpacked`, error));
        else resolve(stream);
      });
    });
    const counted = this.count(entry, isSecondLook);
    packed.once('error', (error) => {
      const ours =
        error instanceof AppError ? error : corrupt(`its part "${shortPartName(name)}" cannot be unpacked`, error);
      counted.destroy(ours);
    });
    counted.once('close', () => packed.destroy());
    return packed.pipe(counted);
  }

  /** A small part as a whole. @throws AppError as `stream`, and TOO_LARGE for one of more than `mostBytes`. */
  async read(name: string, mostBytes = 64 * 1024 * 1024): Promise<Buffer> {
    if (this.sizeOf(name) > mostBytes)
      throw tooLarge('inflatedBytes', mostBytes, `${mostBytes} bytes in its part "${shortPartName(name)}"`);
    return buffer(await this.stream(name));
  }

  private count(entry: Entry, isSecondLook: boolean): Transform {
    const { inflatedBytes, inflateRatio } = this.limits;
    let bytes = 0;
    return new Transform({
      transform: (part: Buffer, _encoding, done) => {
        bytes += part.length;
        if (!isSecondLook) this.inflated += part.length;
        if (Math.max(this.inflated, bytes) > inflatedBytes) {
          return done(tooLarge('inflatedBytes', inflatedBytes, `${inflatedBytes} bytes when it is unpacked`));
        }
        if (bytes > ratioAskedFromBytes && bytes > entry.compressedSize * inflateRatio) {
          return done(tooLarge('inflateRatio', inflateRatio, `${inflateRatio} times its packed size in one part`));
        }
        done(null, part);
      },
    });
  }
}

function listEntries(zip: OpenZip, limits: ReadLimits): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    zip.on('error', (error: Error) => reject(corrupt('the list of its parts cannot be read', error)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      if (entries.size === limits.entries)
        return reject(tooLarge('entries', limits.entries, `${limits.entries} parts`));
      if (entry.isEncrypted()) return reject(new AppError('ENCRYPTED', 'The file is protected by a password.'));
      // Of two parts with one name the first counts, as for most programs.
      if (!entries.has(keyOf(entry.fileName))) entries.set(keyOf(entry.fileName), entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

/** Names of parts are compared without case, and some writers put a slash in front. */
function keyOf(name: string): string {
  return name.replace(/^\/+/, '').toLowerCase();
}

/** A name of a part as messages show it. */
export function shortPartName(name: string): string {
  return name.replace(/[^\w./ -]/g, '?').slice(-60);
}

class FileReader extends RandomAccessReader {
  constructor(private readonly file: SourceFile) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return rangeStream(this.file, start, end);
  }
}
