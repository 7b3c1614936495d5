import { ruleMetrics, ruleValue, type Rule, type RuleMetric } from '@masthead/contract/notifications/rule'
import type { RuleTrial as Trial } from '@masthead/contract/notifications/rule-firing'
import { actionsOf, type RuleAction } from '@masthead/contract/notifications/rule-action'
import { previewRule } from '@masthead/contract/notifications/rule-operations'
import { FlaskConical } from 'lucide-react'
import { Link } from 'react-router'
import { useOperation } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { FailureNotice } from '../../ui/FailureNotice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { fieldsOf } from './RuleForm.tsx'
import { useLeftToOthers } from './use-left-to-others.ts'
import { wholeWords } from './rule-words.ts'

const asNow = 'The days before can show what still lasts, and nothing that is over by now.'
/** What cannot be tried on the days before, because it is not kept. */
const triedWords: Partial<Record<RuleMetric, string>> = {
  low_day: 'A day is tried once it is over, for SIMs that were active since before it, and were not blocked in it.',
  assets_average_day: 'It is the average of SIMs that were active since before the day.',
  assets_low_day: 'A day is tried once it is over.',
  usage_ever: 'What a SIM had used on an earlier day is not kept, so that today alone is tried, for SIMs that were seen in these days.',
  limit_share: 'Limits are taken as they are now.',
  pool_share: 'Of a pool its term that runs is measured, as it is now, and each SIM fires once in it.',
  pool_use: 'Of a pool its term that runs is measured, as it is now, so that today alone is tried, and each pool fires once in it.',
  pool_ends: 'Which data pools renew is known as it is now, so that today alone is tried, and each pool fires once in its term.',
  assets_usage_ever: 'What they had used by an earlier day is not kept, so that today alone is tried.',
  prices_change: 'Of each change the first of these days is shown on which it was known and so near.',
  device_offline: `Which devices are offline is known as it is now. ${asNow}`,
  container_crash: `Which containers crash is known as it is now. ${asNow}`,
  account_cost_month: 'What the account had cost on an earlier day is not kept, so that today alone is tried.',
  view_count: 'What is in the view is known as it is now, so that today alone is tried.',
}

/** What the rule would have done in the last 30 days, once somebody asks. */
export function RuleTrial({ rule }: { rule: Rule }) {
  const trial = useOperation(previewRule)
  const left = useLeftToOthers()
  return (
    <Panel title="On the last 30 days">
      <div className="grid gap-4">
        <p className="text-fg-2">
          The rule is tried on the usage, the measurements and the events that are kept, with the assets and tags of today. Nothing is
          changed and nobody is notified.{triedWords[rule.metric] && ` ${triedWords[rule.metric]}`}
        </p>
        <ActionButton
          operation={previewRule}
          disabled={left}
          icon={FlaskConical}
          className="justify-self-start"
          loading={trial.isPending}
          onClick={() => trial.mutate({ body: fieldsOf(rule) })}
        >
          Try it
        </ActionButton>
        {trial.error && <FailureNotice of={trial.error} />}
        {trial.data && <Result rule={rule} trial={trial.data} />}
      </div>
    </Panel>
  )
}

/** What becomes of a SIM. */
const didWords: Record<RuleAction, string> = {
  tell: '',
  deactivate_sim: 'deactivated',
  activate_sim: 'activated',
  standby_sim: 'put on standby',
  block_sim: 'blocked',
  unblock_sim: 'unblocked',
  imei_lock: 'locked to their device',
  set_limit: 'given a data limit',
  set_network_group: 'moved',
}

function Result({ rule, trial: { fired, sims, acted, capped, days, latest } }: { rule: Rule; trial: Trial }) {
  const { who } = ruleMetrics[rule.metric]
  const acts = rule.action !== 'tell'
  const did = actionsOf(rule)
    .map((action) => didWords[action])
    .join(' and ')
  return (
    <div className="grid gap-3" role="status">
      <p className="text-base">
        {fired === 0 ? (
          'It would not have fired.'
        ) : (
          <>
            It would have fired <strong>{times(fired)}</strong>
            {who !== 'account' && `, for ${countOf(sims, who)}`}
            {acts && `, and SIMs would have been ${did} ${times(acted)}`}.
            {capped && ' There was more than can be tried at once: these are the first.'}
          </>
        )}
      </p>
      {fired > 0 && (
        <>
          <Days days={days} acts={acts} did={did} />
          <ul className="divide-y divide-line rounded-md border border-line" aria-label="The newest of them">
            {latest.slice(0, 10).map(({ asset_id, asset_name, pool_id, pool_name, day, value }) => (
              <li key={`${asset_id ?? pool_id} ${day}`} className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-3 px-3 py-2">
                {asset_id ? (
                  <Link to={`/assets/${asset_id}`} className="truncate underline underline-offset-3">
                    {asset_name}
                  </Link>
                ) : pool_id ? (
                  <Link to={`/datapools?pool=${pool_id}`} className="truncate underline underline-offset-3">
                    {pool_name}
                  </Link>
                ) : (
                  <span>{wholeWords(rule.metric)}</span>
                )}
                <span className="num">{ruleValue(rule.metric, value, rule.currency)}</span>
                <span className="num text-fg-3">{day}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

const times = (count: number) => (count === 1 ? 'once' : `${count.toLocaleString('en')} times`)
const firesFor = { sim: ['SIM', 'SIMs'], device: ['device', 'devices'], pool: ['data pool', 'data pools'] } as const
const countOf = (count: number, who: keyof typeof firesFor) => `${count.toLocaleString('en')} ${firesFor[who][count === 1 ? 0 : 1]}`

/** One bar a day: how often it would have notified, and of that what it would have done. */
function Days({ days, acts, did }: { days: Trial['days']; acts: boolean; did: string }) {
  const most = Math.max(...days.map(({ fired }) => fired))
  return (
    <ol className="flex h-16 items-end gap-px border-b border-line" aria-label="By day (UTC)">
      {days.map(({ day, fired, acted }) => {
        const words = `${day}: ${fired} fired${acts ? `, ${acted} ${did}` : ''}`
        return (
          <li key={day} title={words} className="flex h-full min-w-0 flex-1 flex-col justify-end">
            <span className="sr-only">{words}</span>
            <span aria-hidden className="bg-warn-mark" style={{ height: `${((fired - acted) / most) * 100}%` }} />
            <span aria-hidden className="bg-bad-mark" style={{ height: `${(acted / most) * 100}%` }} />
          </li>
        )
      })}
    </ol>
  )
}
