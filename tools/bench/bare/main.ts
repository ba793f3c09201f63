import { once } from 'node:events';
import { createServer } from 'node:http';
import express, { type Request, type Response } from 'express';
import { createPool } from 'mysql2/promise';
import { configOfThisProcess } from '../../../src/config/read-env.ts';
import { callerOf, createAgent, readAgent, saveDefinition, triggerCall, type BareCaller } from './agents.ts';

/** The baseline of the agents API: Express, mysql2 and the service's statements. */
const config = configOfThisProcess();
const db = createPool({ uri: config.databaseUrl, connectionLimit: 20, timezone: 'Z' });
db.pool.on(
  'connection',
  (connection) => void connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'),
);

const app = express();
app.use(express.json({ limit: '1mb' }));
app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }));

const serve =
  (work: (caller: BareCaller, req: Request<{ id: string }>) => Promise<object | undefined>) =>
  async (req: Request<{ id: string }>, res: Response) => {
    const caller = await callerOf(db, req.get('x-api-key') ?? '');
    if (caller === undefined) return void res.status(401).json({ detail: 'Invalid or expired API key' });
    const answer = await work(caller, req);
    if (answer === undefined) return void res.status(404).json({ detail: 'Not Found' });
    res.json(answer);
  };

app.get(
  '/api/v1/workflow/fetch/:id',
  serve((caller, req) => readAgent(db, caller, Number(req.params.id))),
);
app.put(
  '/api/v1/workflow/:id',
  serve((caller, req) => saveDefinition(db, caller, Number(req.params.id), req.body.workflow_definition)),
);
app.post(
  '/api/v1/workflow/create/:id',
  serve((caller, req) => createAgent(db, caller, req.body.name, req.body.workflow_definition)),
);
app.post(
  '/api/v1/public/agent/:id',
  serve((caller, req) => triggerCall(db, caller, req.params.id, req.body)),
);

const server = createServer({ keepAliveTimeout: 75_000 }, app);
server.listen(config.http.port, config.http.host);
await once(server, 'listening');

process.once('SIGTERM', () => {
  server.close(() => void db.end());
  server.closeAllConnections();
});
