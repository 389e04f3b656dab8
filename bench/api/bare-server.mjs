// The least that answers a read: a bare HTTP server that runs one statement by key, in a process of its own.
import http from 'node:http';
import pg from 'pg';

const { databaseUrl, taskId } = JSON.parse(process.argv[2]);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 4, idleTimeoutMillis: 0 });
const statement = { name: 'task', text: 'select * from task where id = $1', values: [taskId] };
const server = http.createServer((_request, response) => {
  pool.query(statement).then(
    ({ rows }) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows[0])),
    (error) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () =>
  process.send({ url: `http://127.0.0.1:${server.address().port}`, pid: process.pid }),
);
process.on('disconnect', () => process.exit());
