import { useQuery } from '@tanstack/react-query'
import type { AgentRules } from '@masthead/contract/devices/agent/agent-rules'
import { getAgentRules, updateAgentRules } from '@masthead/contract/devices/agent/agent-rules-operations'
import { useState } from 'react'
import { windowWords } from '../../alpon-fleets/index.ts'
import { q } from '../../api/query.ts'
import { ActionButton, useDenied } from '../../kit/ActionButton.tsx'
import { ConfirmButton } from '../../kit/ConfirmCall.tsx'
import { later } from '../../kit/later.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'

const AgentRulesForm = later(() => import('./AgentRulesForm.tsx').then((file) => file.AgentRulesForm))

/** Whether the product updates the agents of the account by itself. */
export function AgentRulesPanel() {
  const denied = useDenied()(getAgentRules)
  const { data, error, refetch } = useQuery({ ...q(getAgentRules, {}), enabled: denied === null })
  const [changing, setChanging] = useState(false)
  if (denied !== null) return null
  return (
    <Panel title="Agent updates">
      {data ? (
        <Rules rules={data} onChange={() => setChanging(true)} />
      ) : error ? (
        <ErrorState title="The agent updates could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines lines={3} />
      )}
      {changing && data && <AgentRulesForm rules={data} onClose={() => setChanging(false)} />}
    </Panel>
  )
}

const limitedWords = 'Your access is limited to some tags, and this is for all devices'

function Rules({ rules, onChange }: { rules: AgentRules; onChange: () => void }) {
  const { enabled, window, offered, stopped, changed_at, changed_by, limited } = rules
  const refused = limited ? limitedWords : null
  return (
    <div className="grid gap-3">
      {enabled && stopped && (
        <Notice
          tone="warn"
          action={
            <ConfirmButton
              operation={updateAgentRules}
              input={{ body: { enabled, window } }}
              label="Start again"
              size="small"
              disabled={refused}
              title="Start the agent updates again?"
              done="Agents are updated again"
            >
              Devices that are online and older are asked again, but for those whose update failed within the last 24 hours.
            </ConfirmButton>
          }
        >
          Stopped <RelativeTime at={stopped.at} />, because too many updates to {stopped.version} failed in a row.
        </Notice>
      )}
      <p className="max-w-[70ch] text-fg-2 text-pretty">
        <b className="font-medium text-fg">{enabled ? 'Agents are updated automatically.' : 'Agents are updated by hand.'}</b>{' '}
        {enabled
          ? `Devices that are online get the version of this server${window ? `: ${windowWords(window)}` : ' as soon as there is a newer one'}.`
          : 'Somebody asks for each update, on the asset or for many in the list.'}{' '}
        {offered ? `This server has version ${offered}.` : 'This server brings no agent.'}
        {changed_at && (
          <>
            {' '}
            Set by {changed_by}, <RelativeTime at={changed_at} />.
          </>
        )}
      </p>
      <div>
        <ActionButton operation={updateAgentRules} size="small" disabled={refused} onClick={onChange}>
          Change
        </ActionButton>
      </div>
    </div>
  )
}
