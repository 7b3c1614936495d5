import { accountChanged } from '@masthead/contract/auth/events'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'

type Changes = { team_name?: string | undefined; timezone?: string | undefined }

/** Changes the team name or the time zone of the account being acted on. What stays as it is is not said. */
export async function updateAccount(tx: Tx, actor: Actor, { team_name, timezone }: Changes): Promise<void> {
  const { account_id } = actor
  const account = await tx
    .selectFrom('account')
    .select(['team_name', 'timezone'])
    .where('id', '=', account_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const now = { team_name: team_name ?? account.team_name, timezone: timezone ?? account.timezone }
  await tx.updateTable('account').set(now).where('id', '=', account_id).execute()
  const said = { old_name: account.team_name, timezone: now.timezone }
  if (now.team_name !== account.team_name) await record(tx, actor, accountChanged, { ...said, new_name: now.team_name })
  if (now.timezone !== account.timezone)
    await record(tx, actor, accountChanged, { ...said, old_name: now.team_name, new_name: now.team_name })
}
