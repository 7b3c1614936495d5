import type { EventKind } from '@masthead/contract/kernel/event'
import type * as z from 'zod/mini'
import type { Actor, Tx } from '../kernel/app.ts'
import { publish } from '../kernel/live/publish.ts'
import { record } from '../kernel/record.ts'
import type { Owner } from './team-queries.ts'

type Person = { id: string; account_id: string }

/** Records on a person's own account what happened to them on a team, and notifies their open consoles, whatever account they work on. */
export async function notifyPerson<Detail extends z.ZodMiniType>(
  tx: Tx,
  actor: Actor,
  person: Person,
  kind: EventKind<Detail>,
  detail: z.output<Detail>
): Promise<void> {
  await record(tx, { ...actor, account_id: person.account_id }, kind, detail)
  await publish(tx, person.id, kind)
}

export const teamWords = ({ email, team_name }: Owner) => ({ owner: email, team_name })
