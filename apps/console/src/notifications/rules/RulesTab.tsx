import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Rule } from '@masthead/contract/notifications/rule'
import { createRule, listRules } from '@masthead/contract/notifications/rule-operations'
import { BellRing, MoreHorizontal, Plus } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { q } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { BannerEnd } from '../../kit/BannerEnd.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { SeverityBadge } from '../alert-columns.tsx'
import { RuleState } from './RuleState.tsx'
import { RuleDetail } from './RuleDetail.tsx'
import { thenWords, whenWords } from './rule-words.ts'
import { useLeftToOthers } from './use-left-to-others.ts'
import { useRuleActions } from './use-rule-actions.tsx'

/** The rules of the account, or one of them with what it did. */
export function RulesTab() {
  const [params] = useSearchParams()
  const opened = params.get('rule')
  return opened ? <RuleDetail key={opened} id={opened} /> : <RuleList />
}

const addressOf = (id: string) => `/notifications?tab=rules&rule=${id}`

function RuleList() {
  const [, setParams] = useSearchParams()
  const { data, error, refetch } = useQuery(q(listRules, {}))
  const { items, create, dialog } = useRuleActions({ onMade: ({ id }) => setParams({ tab: 'rules', rule: id }) })
  const first = { icon: Plus, operation: createRule, disabled: useLeftToOthers(), onClick: create } as const
  return (
    <>
      <BannerEnd>
        <ActionButton {...first} color="primary-solid">
          New rule
        </ActionButton>
      </BannerEnd>
      {error && !data ? (
        <ErrorState title="The rules could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonLines lines={6} />
      ) : data.items.length === 0 ? (
        <EmptyState icon={BellRing} title="No data found" actions={<ActionButton {...first}>Create your first rule</ActionButton>}>
          A rule watches what SIMs do and notifies you, or acts. Try it on the last 30 days before you switch it on.
        </EmptyState>
      ) : (
        <Panel title="Rules" flush>
          <ul className="divide-y divide-line" aria-label="Rules">
            {data.items.map((rule) => (
              <RuleRow
                key={rule.id}
                rule={rule}
                menu={
                  <Menu
                    trigger={<IconButton label={`Actions for ${rule.name}`} icon={MoreHorizontal} />}
                    label="Actions"
                    align="end"
                    items={items(rule)}
                  />
                }
              />
            ))}
          </ul>
        </Panel>
      )}
      {dialog}
    </>
  )
}

const RuleRow = ({ rule, menu }: { rule: Rule; menu: ReactNode }) => (
  <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 px-4 py-3">
    <div className="grid min-w-0 gap-1">
      <span className="flex flex-wrap items-center gap-2">
        <Link to={addressOf(rule.id)} className="font-medium underline-offset-3 hover:underline">
          {rule.name}
        </Link>
        <RuleState rule={rule} />
        <SeverityBadge severity={rule.severity} />
      </span>
      <span className="wrap-anywhere text-fg-2">{whenWords(rule)}</span>
      <span className="text-xs text-fg-3">
        {thenWords(rule)}. {firedWords(rule)}
        {rule.last_fired_at && (
          <>
            , last <RelativeTime at={rule.last_fired_at} />
          </>
        )}
      </span>
    </div>
    {menu}
  </li>
)

const firedWords = ({ firings }: Rule) =>
  firings === 0 ? 'It has not fired in 30 days' : `Fired ${firings === 1 ? 'once' : `${firings.toLocaleString('en')} times`} in 30 days`
