// What a client of the service does from a file to a searchable document.
import { setTimeout as pause } from 'node:timers/promises';

const holdMs = 20_000;

/**
 * Speaks to one service. It waits by long polls, as the API documents them (`waitMs` and the last ETag), or, if
 * `pollMs` is given, by a look every so many ms.
 */
export class Client {
  constructor(url, pollMs) {
    this.url = url;
    this.pollMs = pollMs;
  }

  /** Uploads, waits for the recommended plan, and confirms it. `times` says when each step was over, in ms. */
  async prepare(text, name) {
    const times = { begun: Date.now() };
    const { document, task } = await this.upload(text, name);
    times.uploaded = Date.now();
    const parse = await this.untilSuccess(task.taskId);
    times.parsed = Date.now();
    const { documentId } = document;
    const { currentPlanId: planId } = await this.get(`/documents/${documentId}`);
    await this.post(`/plans/${planId}/confirm`, { operatorId: '7' });
    times.confirmed = Date.now();
    return { documentId, planId, parse, times };
  }

  /** Has a confirmed plan built, and waits for it. */
  async build({ documentId, planId }) {
    const times = { begun: Date.now() };
    const { taskId } = await this.post('/index/build', { documentId, planId, operatorId: '7' });
    times.accepted = Date.now();
    const task = await this.untilSuccess(taskId);
    times.built = Date.now();
    return { task, times };
  }

  async upload(text, name) {
    const form = new FormData();
    form.append('file', new Blob([text], { type: 'text/markdown' }), name);
    return this.answer(await fetch(`${this.url}/documents`, { method: 'POST', body: form }));
  }

  async untilSuccess(taskId) {
    const task = await (this.pollMs ? this.look(taskId) : this.hold(taskId));
    if (task.taskStatus.name !== 'SUCCESS') throw new Error(`task ${taskId}: ${JSON.stringify(task.error)}`);
    return task;
  }

  async hold(taskId) {
    for (let etag; ;) {
      const headers = etag ? { 'if-none-match': etag } : {};
      const response = await fetch(`${this.url}/tasks/${taskId}?waitMs=${holdMs}`, { headers });
      etag = response.headers.get('etag');
      if (response.status === 304) continue;
      const task = await this.answer(response);
      if (task.nextPollMs === null) return task;
    }
  }

  async look(taskId) {
    for (;;) {
      const task = await this.get(`/tasks/${taskId}`);
      if (task.nextPollMs === null) return task;
      await pause(this.pollMs);
    }
  }

  async get(path) {
    return this.answer(await fetch(this.url + path));
  }

  async post(path, body) {
    const headers = { 'content-type': 'application/json' };
    return this.answer(await fetch(this.url + path, { method: 'POST', headers, body: JSON.stringify(body) }));
  }

  async answer(response) {
    const body = await response.json();
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`);
    return body;
  }
}
