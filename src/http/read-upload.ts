import type { Request, Response } from 'express';
import { AppError } from '../domain/errors.js';
import { announcedLength, contentTypeOf, invite, refuseContentEncoding, tooLarge } from './body-source.js';
import { filePart, FormArrival, formOverheadBytes } from './form-arrival.js';
import { invalidRequest } from './invalid-request.js';
import { shapeProblems } from './json-shape.js';
import { readFields } from './read-fields.js';
import type { ServiceLimits } from './request-limits.js';
import type { BodySpec, StoredBytes, UploadBody } from './route.js';

/**
 * Reads a form with one file, which is stored while it arrives. A form that is refused leaves nothing stored.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_REQUEST, the target's own; RequestAborted.
 */
export async function readUpload(
  request: Request,
  response: Response,
  spec: Extract<BodySpec, { kind: 'upload' }>,
  limits: ServiceLimits,
): Promise<UploadBody<object, StoredBytes>> {
  refuseMediaType(request);
  refuseContentEncoding(request);
  if ((announcedLength(request) ?? 0) > limits.uploadBytes + formOverheadBytes) {
    throw tooLarge('The upload', limits.uploadBytes);
  }
  invite(request, response);
  const form = new FormArrival(spec.target, limits);
  await form.receive(request, response);
  const file = await form.file(request);
  const { [filePart]: notAFile, ...given } = { ...(request.body as Record<string, unknown>) };
  const { value, problems } = readFields(spec.shape, given, limits);
  const all = [...form.problems, ...shapeProblems(given, 100), ...problems];
  if (!file && form.problems.every((problem) => problem.path !== filePart)) {
    all.push({ path: filePart, message: notAFile === undefined ? 'is required' : 'must be a file with a file name' });
  }
  if (file && all.length === 0) return { fields: value, file };
  await form.discard();
  throw invalidRequest(all);
}

function refuseMediaType(request: Request): void {
  const content = contentTypeOf(request);
  if (content?.type !== 'multipart/form-data' || !/boundary=/i.test(request.headers['content-type'] ?? '')) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.');
  }
}
