import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Problem } from '@masthead/contract/kernel/problem'
import { recordingOpened } from '@masthead/contract/terminal/events'
import { noRecording } from '@masthead/contract/terminal/problems'
import type { Actor, App } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { recordingKey } from './recording/recording-key.ts'
import { getTerminal } from './terminal-queries.ts'

type Call = { app: App; actor: Actor; reply: FastifyReply }

/** The recording of a session. That somebody opened it is written down before they have it. */
export async function sendRecording({ app, actor, reply }: Call, id: string): Promise<Readable> {
  const { asset_id, asset_name, opened_by, recording } = await getTerminal(app.db, actor, id)
  const key = recordingKey({ account_id: actor.account_id, id })
  const found = recording === 'kept' ? await app.blobs.find(key) : null
  const bytes = found && (await app.blobs.read(key))
  if (!bytes) throw new Problem(noRecording)
  await app.db.transaction().execute((tx) => record(tx, actor, recordingOpened, { asset_id, asset_name, terminal_id: id, opened_by }))
  void reply
    .type('application/x-asciicast')
    .header('content-disposition', `attachment; filename="${id}.cast"`)
    .header('content-length', found.size)
  return bytes
}
