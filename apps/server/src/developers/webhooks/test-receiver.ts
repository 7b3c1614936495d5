import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as ops from '@masthead/contract/developers/operations'
import { createTag } from '@masthead/contract/tags/operations'
import type { House, Person } from '@masthead/testkit/house'
import { sendDue } from './webhook-sender.ts'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

/** Something that webhooks are sent to, on a free port of this machine. `answer` decides what it says. */
export async function openReceiver(answer: (reply: ServerResponse, received: Received) => void = (reply) => reply.end('thanks')) {
  const received: Received[] = []
  let answers = answer
  const server = createServer((request, reply) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const each = { path: request.url!, headers: request.headers, body: Buffer.concat(pieces).toString() }
      received.push(each)
      answers(reply, each)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    received,
    /** From now on it answers so. */
    answers: (next: typeof answer) => void (answers = next),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** An answer with a status and nothing else. */
export const saying =
  (status: number, headers: Record<string, string> = {}) =>
  (reply: ServerResponse) =>
    void reply.writeHead(status, headers).end(`said ${status}`)

/** A webhook of somebody that is sent events of tags, if nothing else is said; `params` to call for it. */
export async function newWebhook(maker: Person, url: string, more: object = {}) {
  const made = await maker.call(ops.createWebhook, { body: { name: 'Ops', url, events: ['tags.*'], ...more } })
  if (made.status !== 200) throw new Error(made.text)
  return { ...made.body, params: { webhook_id: made.body.id } }
}

/** Runs the jobs after the events, then sends. Says how many were sent. */
export async function deliver(house: House): Promise<number> {
  await house.settle()
  return sendDue(house.app)
}

/** Makes a tag, which is an event: its id. */
export const tag = async (person: Person, name: string) => (await person.call(createTag, { body: { name } })).body.id
