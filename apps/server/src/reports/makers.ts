import { permissions, type Permission } from '@masthead/contract/kernel/permission'
import { requestReport } from '@masthead/contract/reports/operations'
import { lacksFor, reportKinds, type ReportKind } from '@masthead/contract/reports/report'
import { rightsOf, standingOf } from '../developers/index.ts'
import { actorMay, type Actor, type Db } from '../kernel/app.ts'
import type { Maker } from './tables.ts'

/** Why a report is not made, in words for who asked for it: another try changes nothing. */
export class ReportRefused extends Error {
  readonly name = 'ReportRefused'
}

export const makerOf = ({ kind, email, person_id, key, ip, request_id }: Actor): Maker => ({
  kind,
  email,
  person_id,
  ...(key && { key }),
  ip,
  request_id,
})

type Of = { account_id: string; maker: Maker; kind: ReportKind }

/** Who asked, with what they may and see now. Throws ReportRefused where they may not have it made any more. */
export async function makerNow(db: Db, { account_id, maker, kind }: Of, at: Date): Promise<Actor> {
  const who = maker.key ? `The API key ${maker.key.name}` : maker.email
  const { standing } = await db
    .selectNoFrom(standingOf(account_id, maker.person_id, maker.key?.id ?? null).as('standing'))
    .executeTakeFirstOrThrow()
  const now = standing ? rightsOf(standing, at) : 'person_gone'
  if (now === 'key_ended') throw new ReportRefused(`${who} has ended`)
  if (now === 'person_gone')
    throw new ReportRefused(maker.key ? `Who made the API key ${maker.key.name} left the team` : `${who} left the team`)
  const missing = missingFor(now, kind)
  if (missing) throw new ReportRefused(`${who} lost the permission to ${permissions[missing].toLowerCase()}`)
  return { ...maker, account_id, permissions: now.permissions, tags: now.tags, staff: [], at }
}

function missingFor(rights: Pick<Actor, 'permissions'>, kind: ReportKind): Permission | undefined {
  return actorMay(rights, requestReport.access) ? lacksFor(rights.permissions, kind)[0] : requestReport.access
}

/** What somebody lacks to see what is in a report of a kind, in words; null: nothing. */
export function lackingWords({ permissions: held }: Pick<Actor, 'permissions'>, kind: ReportKind): string | null {
  const lacking = lacksFor(held, kind).map((name) => permissions[name].toLowerCase())
  return lacking.length === 0
    ? null
    : `A report of the kind ${reportKinds[kind].label} also needs the permission to ${lacking.join(' and to ')}`
}
