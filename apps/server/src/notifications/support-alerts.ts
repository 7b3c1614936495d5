import { supportAsked, supportLeft } from '@masthead/contract/backoffice/events'
import { supportAllowed, supportEnded, supportRefused } from '@masthead/contract/terminal/events'
import { listSupport } from '@masthead/contract/terminal/support-operations'
import type { Tx } from '../kernel/app.ts'
import type { HappenedEvent } from '../kernel/jobs/effects.ts'
import type { Meaning } from './alert-rules.ts'

export const supportCause = 'support:'

/** Support waits for an answer, or has got in by what was allowed beforehand. */
export function supportMeaning({ name, detail, actor_email }: HappenedEvent): Meaning | null {
  if (name === supportAsked.name) {
    const { asset_id, asset_name, support_id, reason, for_time, standing } = supportAsked.detail.parse(detail)
    return {
      raise: {
        cause: `${supportCause}${support_id}`,
        severity: 'warn',
        source: 'staff',
        title: standing ? `Support may use the terminal of ${asset_name}` : `Support asks for the terminal of ${asset_name}`,
        words: standing
          ? `${actor_email}, for ${for_time}, by the standing consent of the account: ${reason}`
          : `${actor_email}, for ${for_time}: ${reason}. Nobody is let in until one of you allows it.`,
        lasting: !standing,
        permission: listSupport.access,
        asset_id,
        link: '/terminals/support',
      },
    }
  }
  const ended: Record<string, string> = {
    [supportAllowed.name]: 'Somebody allowed it',
    [supportRefused.name]: 'Somebody refused it',
    [supportEnded.name]: 'Its time is over',
    [supportLeft.name]: 'Support withdrew the request',
  }
  const words = ended[name]
  return words === undefined ? null : { resolve: `${supportCause}${(detail as { support_id: string }).support_id}`, words }
}

/** Whether support waits for an answer still; null: it never asked. */
export async function isAsked(tx: Tx, account_id: string, cause: string): Promise<boolean | null> {
  const row = await tx
    .selectFrom('support_access')
    .select(['state', 'standing'])
    .where('account_id', '=', account_id)
    .where('id', '=', cause.slice(supportCause.length))
    .executeTakeFirst()
  return !row || row.standing ? null : row.state === 'asked'
}
