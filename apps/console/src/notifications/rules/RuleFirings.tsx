import { ruleMetrics, ruleValue, tellsPools, type Rule, type RuleMetric } from '@masthead/contract/notifications/rule'
import { actionsOf, type RuleAction } from '@masthead/contract/notifications/rule-action'
import type { Firing } from '@masthead/contract/notifications/rule-firing'
import { listFirings, undoFiring } from '@masthead/contract/notifications/rule-operations'
import { History, Undo2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useDenied } from '../../kit/ActionButton.tsx'
import { CellLink } from '../../kit/CellLink.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { TwoLines, type Column } from '../../ui/Table.tsx'
import { FiringBadge } from './RuleState.tsx'
import { actionWords, wholeWords } from './rule-words.ts'
import { useLeftToOthers } from './use-left-to-others.ts'

const nameOf = (metric: RuleMetric, { asset_name, asset_id, pool_id, pool_name }: Firing) => {
  if (asset_name !== null) return asset_name
  if (tellsPools(metric)) return pool_name ?? (pool_id ? 'A data pool that is gone' : 'A data pool that you may not see')
  if (ruleMetrics[metric].who === 'account') return wholeWords(metric)
  return asset_id ? 'An asset that is gone' : 'An asset that you may not see'
}

/** `only`: the one action of the rule, which goes without saying. */
const columnsOf = ({ metric, currency, only }: Pick<Rule, 'metric' | 'currency'> & { only: RuleAction | null }): Column<Firing>[] => [
  {
    id: 'asset',
    header: 'Fired for',
    fixed: true,
    list: 'title',
    cell: (firing) => {
      const to = firing.asset_name ? `/assets/${firing.asset_id}` : firing.pool_name ? `/datapools?pool=${firing.pool_id}` : null
      const name = nameOf(metric, firing)
      return to ? <CellLink to={to}>{name}</CellLink> : name
    },
  },
  {
    id: 'value',
    header: 'Measured',
    width: 150,
    numeric: true,
    list: 'below',
    shape: 'two',
    cell: ({ value, day }) => <TwoLines first={value === null ? '—' : ruleValue(metric, value, currency)} second={day} />,
  },
  {
    id: 'state',
    header: 'Action',
    width: 220,
    list: 'below',
    shape: 'two',
    // Why a SIM was left as it was is read whole.
    cell: ({ state, action, words }) => {
      // Of several each stands by itself, also where the rule has another one by now.
      const said = [action && action !== only && actionWords(action), words].filter(Boolean).join('. ')
      return <TwoLines first={<FiringBadge state={state} />} second={said ? <span className="whitespace-normal">{said}</span> : null} />
    },
  },
  {
    id: 'act_at',
    header: 'Next',
    width: 130,
    numeric: true,
    drop: 1,
    shape: 'two',
    cell: ({ act_at, undo_at, state }) => {
      if (act_at && state === 'waiting') return <TwoLines first={<RelativeTime at={act_at} />} second="Action" />
      return undo_at ? <TwoLines first={<RelativeTime at={undo_at} />} second="Taken back" /> : '—'
    },
  },
  { id: 'at', header: 'When', width: 110, numeric: true, drop: 2, list: 'below', cell: ({ at }) => <RelativeTime at={at} /> },
]
/** What a rule did, newest first; what is to come can be called off, what was done taken back. */
export function RuleFirings({ rule }: { rule: Rule }) {
  const [undoing, setUndoing] = useState<Firing | null>(null)
  const [mayNot, left] = [useDenied()(undoFiring), useLeftToOthers()]
  const denied = mayNot ?? left
  const { metric, currency } = rule
  const [first, ...more] = actionsOf(rule)
  const only = more.length === 0 ? (first ?? null) : null
  const columns = useMemo(() => columnsOf({ metric, currency, only }), [metric, currency, only])
  return (
    <section aria-label="History" className="grid gap-2">
      <h2 className="text-sm font-semibold">History</h2>
      <QueryTable
        operation={listFirings}
        input={{ params: { rule_id: rule.id } }}
        label="Firings"
        columns={columns}
        rowId={({ id }) => id}
        rowName={(firing) => nameOf(rule.metric, firing)}
        rowActions={(firing) => [
          {
            label: firing.state === 'waiting' ? 'Call off' : 'Take back',
            icon: Undo2,
            disabled: denied ?? (firing.state === 'waiting' || firing.state === 'done' ? null : 'There is nothing to take back'),
            onSelect: () => setUndoing(firing),
          },
        ]}
        live
        empty={
          <EmptyState icon={History} title="No data found">
            Whenever the rule fires, it stands here with what it did.
          </EmptyState>
        }
      />
      {undoing && (
        <ConfirmCall
          operation={undoFiring}
          input={{ params: { rule_id: rule.id, firing_id: undoing.id } }}
          onClose={() => setUndoing(null)}
          title={`${undoing.state === 'waiting' ? 'Call off' : 'Take back'} the action on ${nameOf(rule.metric, undoing)}?`}
          confirm={undoing.state === 'waiting' ? 'Call off' : 'Take back'}
          done={undoing.state === 'waiting' ? 'Called off' : 'Taken back'}
        >
          {undoing.state === 'waiting'
            ? 'The SIM stays as it is.'
            : 'The SIM becomes what it was before, unless somebody has changed it since.'}
        </ConfirmCall>
      )}
    </section>
  )
}
