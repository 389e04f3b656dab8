import type { Id } from '../domain/ids/id.js';

/** A JSON object of an answer. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Fields;
}

const waitBoundMs = 60_000;

/** The value at a dotted path of an answer. The caller says what it is; a test then looks at it. */
export function at<T>(fields: Fields, path: string): T {
  return path.split('.').reduce<unknown>((value, name) => (value as Fields | undefined)?.[name], fields) as T;
}

/** Speaks the HTTP API as a client would, and waits as a client would: by asking again. */
export class ApiClient {
  constructor(readonly baseUrl: string) {}

  async get(path: string): Promise<Answer> {
    return answerOf(await fetch(this.baseUrl + path));
  }

  async post(path: string, body: unknown = {}, more: Record<string, string> = {}): Promise<Answer> {
    const headers = { 'content-type': 'application/json', ...more };
    return answerOf(await fetch(this.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) }));
  }

  async upload(
    fileName: string,
    content: string | Buffer,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const form = formOf(fileName, content, fields);
    return answerOf(await fetch(`${this.baseUrl}/documents`, { method: 'POST', body: form, headers }));
  }

  async delete(path: string): Promise<Answer> {
    return answerOf(await fetch(this.baseUrl + path, { method: 'DELETE' }));
  }

  /** A new source for a document that is there. */
  async renew(documentId: Id, fileName: string, content: string | Buffer): Promise<Answer> {
    const body = formOf(fileName, content, {});
    return answerOf(await fetch(`${this.baseUrl}/documents/${documentId}/source`, { method: 'PUT', body }));
  }

  /** Uploads, waits until parsed, and confirms the recommended plan. */
  async confirmed(fileName: string, content: string | Buffer): Promise<{ documentId: Id; planId: Id }> {
    const { body } = await this.upload(fileName, content);
    const documentId = at<Id>(body, 'document.documentId');
    const document = await this.until(`/documents/${documentId}`, (d) => at<number>(d, 'parseStatus.code') >= 3);
    const planId = at<Id>(document, 'currentPlanId');
    const { status } = await this.post(`/plans/${planId}/confirm`, { operatorId: '7' });
    if (status !== 200) throw new Error(`plan ${planId} could not be confirmed: ${status}`);
    return { documentId, planId };
  }

  build(documentId: Id, planId: Id): Promise<Answer> {
    return this.post('/index/build', { documentId, planId, operatorId: '7' });
  }

  /** The task when it has ended. */
  ended(taskId: Id): Promise<Fields> {
    return this.until(`/tasks/${taskId}`, (task) => task['nextPollMs'] === null);
  }

  /** All items of a list. */
  async all(path: string): Promise<Fields[]> {
    const items: Fields[] = [];
    let cursor: string | null = null;
    do {
      const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await this.get(`${path}${path.includes('?') ? '&' : '?'}limit=200${next}`);
      items.push(...at<Fields[]>(body, 'items'));
      cursor = at<string | null>(body, 'nextCursor');
    } while (cursor !== null);
    return items;
  }

  /** Asks again until the body is as wanted. @throws Error with the last body when that takes too long. */
  async until(path: string, wanted: (body: Fields) => boolean): Promise<Fields> {
    const deadline = Date.now() + waitBoundMs;
    for (;;) {
      const { body } = await this.get(path);
      if (wanted(body)) return body;
      if (Date.now() > deadline) throw new Error(`${path} stayed ${JSON.stringify(body)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: (json ? JSON.parse(text) : {}) as Fields };
}

function formOf(fileName: string, content: string | Buffer, fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), fileName);
  return form;
}
