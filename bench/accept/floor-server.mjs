// The floor behind the barest HTTP server, in a process of its own: what crossing to another process costs by itself.
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { Floor } from './floor.mjs';

const floor = await Floor.open(JSON.parse(process.argv[2]));
const server = http.createServer(async (request, response) => {
  try {
    const { i } = JSON.parse(await text(request));
    await floor.accept(i);
    response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ i }));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await floor.close();
});
