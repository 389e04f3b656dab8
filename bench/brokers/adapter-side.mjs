const deadlineMs = 10_000;

/** One broker as the service uses it. */
export class AdapterSide {
  /** @param publisher is started */
  constructor(publisher, consumers) {
    this.publisher = publisher;
    this.consumers = consumers;
  }

  send(message) {
    return this.publisher.publish([message], { deadlineMs });
  }

  /** Gives what stops it. */
  async consume(onMessage) {
    const consumer = this.consumers.create('index');
    await consumer.start(() => {
      onMessage();
      return Promise.resolve({ type: 'done' });
    });
    return () => consumer.stop();
  }
}
