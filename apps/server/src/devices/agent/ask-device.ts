import { deviceRebooted } from '@masthead/contract/devices/agent/events'
import { agentLog, LogPart, type Answer, type Command } from '@masthead/contract/devices/agent/messages'
import type { getFollowedLogs, getLogs } from '@masthead/contract/devices/agent/operations'
import { appNotFound } from '@masthead/contract/devices/agent/problems'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { sendDirective } from '../send-directive.ts'
import { assetNameOf, findAgentDevice, getAgentDevice, refusalOf } from './agent-device.ts'
import { containersOf } from './container-rows.ts'

export const commandId = idKind('cmd')
/** Nobody looks at the lines of a log that comes later, and nobody expects the reboot any more. */
const logsWait = 60_000 // ms
const rebootWaits = 600_000 // ms

type To = { account_id: string; device_id: string; waitsFor: number; at: Date }
const run = (tx: Tx, { at, ...to }: To, data: Command) => sendDirective(tx, { ...to, at, payload: { command: 'run', data } })

export async function requestLogs(tx: Tx, actor: Actor, asset_id: string, { name, lines }: { name: string; lines: number }) {
  const { account_id, at } = actor
  const device = await getAgentDevice(tx, account_id, asset_id)
  if (!(await containersOf(tx, account_id, asset_id)).some((each) => each.name === name)) throw new Problem(appNotFound)
  const id = newId(commandId, at.getTime())
  await run(tx, { account_id, device_id: device.id, waitsFor: logsWait, at }, { id, do: 'logs', container: name, lines })
  return { request_id: id }
}

export async function requestAgentLogs(tx: Tx, { account_id, at }: Actor, asset_id: string, { lines }: { lines: number }) {
  const device = await getAgentDevice(tx, account_id, asset_id)
  const id = newId(commandId, at.getTime())
  await run(tx, { account_id, device_id: device.id, waitsFor: logsWait, at }, { id, do: 'logs', container: agentLog, lines })
  return { request_id: id }
}

export async function readLogs(db: Db, { account_id }: Actor, asset_id: string, request_id: string): Promise<Reply<typeof getLogs>> {
  const device = await findAgentDevice(db, account_id, asset_id)
  if (!device || !request_id.startsWith(`${commandId.prefix}_`)) throw await refusalOf(db, account_id, asset_id, notFound)
  const answer = device.reported.answer as Partial<Answer> | undefined
  if (answer?.id !== request_id) return { state: 'waiting', words: null, lines: [] }
  return { state: answer.ok ? 'here' : 'failed', words: answer.words ?? null, lines: answer.lines ?? [] }
}

const follows = 30 // s

export async function followLogs(tx: Tx, actor: Actor, asset_id: string, name: string): Promise<void> {
  const { account_id, at } = actor
  const device = await getAgentDevice(tx, account_id, asset_id)
  if (!(await containersOf(tx, account_id, asset_id)).some((each) => each.name === name)) throw new Problem(appNotFound)
  const command = { id: newId(commandId, at.getTime()), do: 'follow', container: name, seconds: follows } as const
  await run(tx, { account_id, device_id: device.id, waitsFor: follows * 1000, at }, command)
}

export async function readFollowedLogs(
  db: Db,
  { account_id }: Actor,
  asset_id: string,
  name: string
): Promise<Reply<typeof getFollowedLogs>> {
  const device = await findAgentDevice(db, account_id, asset_id)
  if (!device || !(await containersOf(db, account_id, asset_id)).some((each) => each.name === name))
    throw await refusalOf(db, account_id, asset_id, appNotFound)
  const parts = Object.values(device.reported.log ?? {}).flatMap((part) => {
    const read = LogPart.safeParse(part)
    return read.success && read.data.container === name ? [read.data] : []
  })
  return { parts: parts.toSorted((one, other) => (one.run < other.run ? -1 : one.run > other.run ? 1 : one.from - other.from)) }
}

export async function rebootDevice(tx: Tx, actor: Actor, asset_id: string): Promise<void> {
  const { account_id, at } = actor
  const device = await getAgentDevice(tx, account_id, asset_id)
  await run(tx, { account_id, device_id: device.id, waitsFor: rebootWaits, at }, { id: newId(commandId, at.getTime()), do: 'reboot' })
  await record(tx, actor, deviceRebooted, { asset_id, asset_name: await assetNameOf(tx, account_id, asset_id) })
}
