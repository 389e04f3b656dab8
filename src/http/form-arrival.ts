import type { Writable } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { MulterError, type Options, type StorageEngine } from 'multer';
import { AppError } from '../domain/errors.js';
import { tooLarge } from './body-source.js';
import { longerThan } from './fields/text-fields.js';
import { invalidRequest, type FieldProblem } from './invalid-request.js';
import { RequestAborted } from './request-aborted.js';
import type { ServiceLimits } from './request-limits.js';
import type { StoredBytes, UploadedFile, UploadTarget } from './route.js';

/** Name of the part that holds the file. */
export const filePart = 'file';

/** What a form may hold beside its file: fields, part headers and boundaries. */
export const formOverheadBytes = 1024 * 1024;

const formLimits = { fields: 20, fieldSize: 64 * 1024, fieldNameSize: 100, files: 5, parts: 25, headerPairs: 50 };

/**
 * One form on its way in. Its file goes to the target while it arrives; the first thing that makes the whole request
 * hopeless (too many bytes, a target that fails, a client that leaves) ends the reading at once. What is wrong with
 * single parts is gathered. Whoever refuses the form afterwards calls `discard`.
 */
export class FormArrival<Stored extends StoredBytes> implements StorageEngine {
  readonly problems: FieldProblem[] = [];
  private parser: Writable | undefined;
  private storing: Promise<Stored> | undefined;
  private refuse: (reason: unknown) => void = () => undefined;

  constructor(
    private readonly target: UploadTarget<Stored>,
    private readonly limits: Pick<ServiceLimits, 'uploadBytes' | 'fileNameLength'>,
  ) {}

  /** Reads the form to its end. @throws AppError PAYLOAD_TOO_LARGE, INVALID_REQUEST, the target's; RequestAborted. */
  async receive(request: Request, response: Response): Promise<void> {
    const { uploadBytes } = this.limits;
    const read = multer({
      storage: this,
      limits: { ...formLimits, fileSize: uploadBytes },
      defParamCharset: 'utf8',
      fileFilter: (_, file, decide) => decide(null, this.takes(file)),
      streamHandler: (source: Request, parser: Writable) => this.feed(source, parser),
    } as Options).any();
    try {
      await new Promise<void>((resolve, reject) => {
        this.refuse = reject;
        request.once('close', () => request.complete || reject(new RequestAborted()));
        read(request, response, (error: unknown) => (error ? reject(this.judge(error)) : resolve()));
      });
    } catch (error) {
      this.parser?.destroy();
      const failure = await this.failureOfTarget();
      await this.discard();
      throw failure ?? error;
    }
  }

  /** The file, once the form is read; undefined where there was none to take. */
  async file(request: Request): Promise<UploadedFile<Stored> | undefined> {
    const [file] = (request.files ?? []) as Express.Multer.File[];
    if (!file || !this.storing) return undefined;
    return { fileName: file.originalname, mediaType: file.mimetype, stored: await this.storing };
  }

  /** Removes what was stored. */
  async discard(): Promise<void> {
    const stored = await this.storing?.catch(() => undefined);
    if (stored !== undefined) await this.target.discard(stored);
  }

  /** Part of multer's engine: stores one file. */
  _handleFile(request: Request, file: Express.Multer.File, done: (error?: unknown, info?: object) => void): void {
    file.stream.once('limit', () => this.refuse(tooLarge('The file', this.limits.uploadBytes)));
    // What is thrown here, not rejected, would go past every handler and end the process.
    this.storing = (async () => this.target.store(file.stream))();
    this.storing.then(
      () => done(null, {}),
      (error: unknown) => {
        // A form that breaks off breaks its file off too; then the form is what is wrong, not the target.
        if (!this.parser?.errored && !request.destroyed) this.refuse(error);
        done(error);
      },
    );
  }

  /** Part of multer's engine; `discard` does the removing, whatever made the form fail. */
  _removeFile(_request: Request, _file: Express.Multer.File, done: (error: Error | null) => void): void {
    done(null);
  }

  /** A target that fails may break the form off before it says so: then not the client has sent half a form. */
  private async failureOfTarget(): Promise<AppError | undefined> {
    return this.storing?.then(
      () => undefined,
      (error: unknown) => (error instanceof AppError ? error : undefined),
    );
  }

  private feed(source: Request, parser: Writable): void {
    this.parser = parser;
    const most = this.limits.uploadBytes + formOverheadBytes;
    let bytes = 0;
    source.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > most) this.refuse(tooLarge('The form', most));
    });
    source.pipe(parser);
  }

  private takes(file: Express.Multer.File): boolean {
    const problem = this.faultOf(file);
    if (problem) this.problems.push(problem);
    return problem === undefined;
  }

  private faultOf({ fieldname, originalname }: Express.Multer.File): FieldProblem | undefined {
    if (fieldname !== filePart) return { path: fieldname, message: 'is not a known file field' };
    if (this.storing) return { path: filePart, message: 'must be there once' };
    const { fileNameLength } = this.limits;
    if (!longerThan(originalname, fileNameLength)) return undefined;
    return { path: filePart, message: `must have a name of at most ${fileNameLength} characters` };
  }

  private judge(error: unknown): AppError {
    if (!(error instanceof MulterError)) return brokenForm('is not a complete multipart form');
    const path = error.field ?? '';
    switch (error.code) {
      case 'LIMIT_FILE_SIZE':
        return tooLarge('The file', this.limits.uploadBytes);
      case 'LIMIT_FIELD_VALUE':
        return invalidRequest([{ path, message: `must have at most ${formLimits.fieldSize} bytes` }]);
      case 'LIMIT_FIELD_KEY':
        return brokenForm(`must not have field names of more than ${formLimits.fieldNameSize} bytes`);
      case 'LIMIT_PART_COUNT':
      case 'LIMIT_FILE_COUNT':
      case 'LIMIT_FIELD_COUNT':
        return brokenForm(`must have at most ${formLimits.fields} fields and ${formLimits.files} files`);
      default:
        return invalidRequest([{ path, message: 'is not a readable form field' }]);
    }
  }
}

function brokenForm(message: string): AppError {
  return invalidRequest([{ path: '', message }]);
}
