import { restateBlocksOf } from '../../assets/service/index.ts'
import type { App } from '../../kernel/app.ts'

/** What the block of a rule says. */
export const firedWords = (name: string): string => `The alert rule ${name} fired`

/** The blocks of a rule that was renamed name it as it is named now. */
export async function restateRule(app: App, { account_id, rule_id }: { account_id: string; rule_id: string }): Promise<void> {
  const rule = await app.db
    .selectFrom('alert_rule')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', rule_id)
    .executeTakeFirst()
  if (rule) await restateBlocksOf(app, { account_id, rule_id, words: firedWords(rule.name) })
}
