import { useQuery } from '@tanstack/react-query'
import { formatMoment } from '@masthead/contract/kernel/time'
import type { Rule } from '@masthead/contract/notifications/rule'
import { disableRule, enableRule, getRule, updateRule } from '@masthead/contract/notifications/rule-operations'
import { ArrowLeft, MoreHorizontal, Pencil, Power, PowerOff } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { q } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { NotThere } from '../../kit/NotThere.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { SeverityBadge } from '../alert-columns.tsx'
import { RuleFirings } from './RuleFirings.tsx'
import { RuleState, useSilenced } from './RuleState.tsx'
import { RuleTrial } from './RuleTrial.tsx'
import { butWords, thenWords, whenWords } from './rule-words.ts'
import { useLeftToOthers } from './use-left-to-others.ts'
import { useRuleActions } from './use-rule-actions.tsx'

/** One rule: what it says, what it would have done, what it did. */
export function RuleDetail({ id }: { id: string }) {
  const { data: rule, error, refetch } = useQuery(q(getRule, { params: { rule_id: id } }))
  return (
    <div className="grid gap-4">
      <Link to="/notifications?tab=rules" className="inline-flex items-center gap-1.5 justify-self-start text-fg-2 hover:text-fg">
        <Icon of={ArrowLeft} size={14} />
        All rules
      </Link>
      {error?.status === 404 && !rule ? (
        <NotThere title="Rule not found" to="/notifications?tab=rules" way="All rules">
          It was deleted, or is of another account. What it held against a SIM is taken off once somebody activates the SIM.
        </NotThere>
      ) : error && !rule ? (
        <ErrorState title="The rule could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : rule ? (
        <>
          <RuleHead rule={rule} />
          <RuleTrial rule={rule} />
          <RuleFirings rule={rule} />
        </>
      ) : (
        <SkeletonLines lines={8} />
      )}
    </div>
  )
}

function RuleHead({ rule }: { rule: Rule }) {
  const [, setParams] = useSearchParams()
  const silenced = useSilenced(rule)
  const left = useLeftToOthers()
  const { items, open, dialog } = useRuleActions({ onGone: () => setParams({ tab: 'rules' }) })
  const parts = [
    ['When', whenWords(rule)],
    ['then', thenWords(rule)],
    ['but', butWords(rule)],
  ]
  return (
    <Panel
      title={rule.name}
      end={
        <span className="flex items-center gap-2">
          <SeverityBadge severity={rule.severity} />
          <RuleState rule={rule} />
        </span>
      }
    >
      <div className="grid gap-4">
        {rule.failed_words && rule.enabled && <Notice tone="bad">This rule does not work as it should: {rule.failed_words}.</Notice>}
        {silenced && (
          <Notice tone="warn">
            Silenced until {formatMoment(rule.silenced_until!)}: it notifies nobody and changes no SIM. What it fires for stands in its
            history.
          </Notice>
        )}
        <dl className="grid gap-2">
          {parts.map(([term, words]) => (
            <div key={term} className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-2">
              <dt className="font-semibold">{term}</dt>
              <dd className="wrap-anywhere">{words}.</dd>
            </div>
          ))}
        </dl>
        <div className="flex flex-wrap gap-2">
          {rule.enabled ? (
            <ActionButton operation={disableRule} disabled={left} icon={PowerOff} onClick={() => open('disable', rule)}>
              Switch off
            </ActionButton>
          ) : (
            <ActionButton operation={enableRule} disabled={left} icon={Power} color="success" onClick={() => open('enable', rule)}>
              Switch on
            </ActionButton>
          )}
          <ActionButton operation={updateRule} disabled={left} icon={Pencil} onClick={() => open('edit', rule)}>
            Edit
          </ActionButton>
          <Menu
            trigger={<IconButton label={`Actions for ${rule.name}`} icon={MoreHorizontal} />}
            label="Actions"
            align="end"
            items={items(rule)}
          />
        </div>
      </div>
      {dialog}
    </Panel>
  )
}
