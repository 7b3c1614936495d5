import type { Selectable } from 'kysely'
import { setSimLimit } from '@masthead/contract/assets/sim-operations'
import { enableRule } from '@masthead/contract/notifications/rule-operations'
import { rightsOf, standingOf } from '../../developers/index.ts'
import { actorMay, type Actor, type Db } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'

/** Who answers for what a rule does to SIMs: whoever saved it or switched it on last. */
export const makerOf = ({ person_id, key }: Actor) => ({ person_id, key_id: key?.id ?? null })

type Made = Pick<Selectable<Database['alert_rule']>, 'account_id' | 'action' | 'person_id' | 'key_id'>

/** Why a rule that changes SIMs may not do so any more, in words: whoever answers for it could not do it now. Null: it may. */
export async function whyMayNot(db: Db, { account_id, action, person_id, key_id }: Made, at: Date): Promise<string | null> {
  if (action === 'tell') return null
  const { standing } = await db.selectNoFrom(standingOf(account_id, person_id, key_id).as('standing')).executeTakeFirstOrThrow()
  const now = standing ? rightsOf(standing, at) : 'person_gone'
  if (now === 'key_ended') return 'The API key by which it was set up has ended'
  if (now === 'person_gone') return 'Whoever set it up has left the team'
  const may = actorMay(now, setSimLimit.access) && actorMay(now, enableRule.access) && now.tags.length === 0
  return may ? null : 'Whoever set it up may no longer change all SIMs'
}
