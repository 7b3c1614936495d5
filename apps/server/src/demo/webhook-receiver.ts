import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { createWebhook, signedHeaders, testWebhook, decryptWebhookSecret } from '../developers/webhooks/index.ts'
import { ownerEmail } from './people.ts'

const name = 'Receiver of the demo'
const path = '/demo-receiver'
const mostBytes = 128 * 1024

/**
 * Something for the demo's webhook to go to: a server on this machine that checks every signature as a customer's would. It refuses one
 * delivery in four the first time it comes, so that the log shows what becomes of it. Returns its address and how to stop.
 */
export async function startDemoReceiver(app: App): Promise<{ url: string; stop: () => Promise<void> }> {
  const refused = new Set<string>()
  const server = createServer((request, reply) => {
    readBody(request)
      .then(async (body) => {
        const id = String(request.headers['webhook-id'])
        if (!(await isSigned(app, request, body))) return reply.writeHead(401).end('The signature is not right')
        if (id.charCodeAt(id.length - 1) % 4 === 0 && !refused.has(id)) {
          refused.add(id)
          return reply.writeHead(503, { 'content-type': 'application/json' }).end('{"error":"busy, try again"}')
        }
        return reply.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
      })
      .catch(() => reply.writeHead(500).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  await pointWebhook(app, url)
  return {
    url,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > mostBytes) throw new Error('too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

async function isSigned({ db }: App, { headers }: IncomingMessage, body: string): Promise<boolean> {
  const webhook = await db.selectFrom('webhook').select(['id', 'sealed_secret']).where('name', '=', name).executeTakeFirst()
  if (!webhook) return false
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  const secrets = [await decryptWebhookSecret(db, webhook.id, webhook.sealed_secret)]
  const right = Buffer.from(signedHeaders({ id: String(headers['webhook-id']), at, body, secrets })['webhook-signature'])
  return String(headers['webhook-signature'])
    .split(' ')
    .some((each) => each.length === right.length && timingSafeEqual(Buffer.from(each), right))
}

/** Leads the demo's webhook to where the receiver stands this time, unless somebody deleted it or sent it elsewhere. */
const pointWebhook = ({ db }: App, url: string) =>
  db.transaction().execute((tx) =>
    tx
      .updateTable('webhook')
      .set({ url })
      .where('name', '=', name)
      .where('url', 'like', `http://127.0.0.1:%${path}`)
      .where('account_id', '=', (owner) => owner.selectFrom('person').select('account_id').where('email', '=', ownerEmail))
      .execute()
  )

/**
 * Makes the demo's webhook. Some days ago, so that this is not the latest that happened; a second lies between its tests, so that they are told
 * in this order. In the transaction of all the demo's past: what is written after newer activities and claims to be older is a forgery.
 */
export async function writeDemoWebhook(tx: Tx, owner: { account_id: string; person_id: string }, now: Date): Promise<void> {
  const actor = (secondsAgo: number): Actor => ({
    kind: 'member',
    email: ownerEmail,
    ...owner,
    permissions: 'all',
    staff: [],
    tags: [],
    at: new Date(now.getTime() - 6 * 86_400_000 - secondsAgo * 1000),
    ip: null,
    request_id: null,
  })
  // Nobody listens at this port: the receiver says where it stands once it does, and what waits goes there.
  const { id } = await createWebhook(
    tx,
    actor(3),
    { name, url: `http://127.0.0.1:9${path}`, events: ['*'], tags: [] },
    { allowPrivate: true }
  )
  for (const seconds of [2, 1, 0]) await testWebhook(tx, actor(seconds), id)
}
