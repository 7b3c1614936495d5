import { sql } from 'kysely'
import { simTestEnded } from '@masthead/contract/assets/events'
import type { App } from '../../kernel/app.ts'
import { recordSims } from './record-sims.ts'
import type { NamedSim } from './sims.ts'

const simsAtOnce = 500

/** Ready SIMs that have used up their test allowance are active from now on. Nothing waits for it: they have service before and after. */
export async function endTests({ db, clock }: App): Promise<void> {
  for (let ended = simsAtOnce; ended === simsAtOnce;) {
    ended = await db.transaction().execute(async (tx) => {
      const at = clock.now()
      const { rows } = await sql<NamedSim & { allowance_bytes: number }>`with k as (
          select s.account_id, s.id from sim s join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id
          where s.state = 'ready' and s.test_bytes is not null and c.lifetime_up + c.lifetime_down >= s.test_bytes
          order by 1, 2 limit ${simsAtOnce} for no key update of s
        ) update sim s set state = 'active', state_changed_at = ${at}, state_changed_by = 'system', activated_at = coalesce(s.activated_at, ${at})
        from k, asset where s.account_id = k.account_id and s.id = k.id and asset.account_id = s.account_id and asset.id = s.asset_id
        returning s.account_id, s.id as sim_id, s.iccid, s.asset_id, asset.name as asset_name, s.test_bytes as allowance_bytes`.execute(tx)
      await recordSims(tx, at, simTestEnded, rows)
      return rows.length
    })
  }
}
