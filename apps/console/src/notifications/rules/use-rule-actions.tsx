import type { Rule } from '@masthead/contract/notifications/rule'
import { deleteRule, disableRule, enableRule, silenceRule, updateRule } from '@masthead/contract/notifications/rule-operations'
import { Bell, BellOff, Pencil, Power, PowerOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useDenied } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import type { MenuItem } from '../../ui/Menu.tsx'
import { plain, toast } from '../../ui/toast.ts'
import { RuleModal } from './RuleForm.tsx'
import { thenWords, whenWords } from './rule-words.ts'
import { SilenceModal } from './SilenceModal.tsx'
import { useLeftToOthers } from './use-left-to-others.ts'

type Doing = { what: 'create' } | { what: What; rule: Rule }
type What = 'edit' | 'enable' | 'disable' | 'silence' | 'unsilence' | 'delete'

/** What can be done with rules: the items of a menu, how to begin a new one, and the dialog that is open. */
export function useRuleActions({ onMade, onGone }: { onMade?: (rule: Rule) => void; onGone?: () => void } = {}) {
  const [doing, setDoing] = useState<Doing | null>(null)
  const [mayNot, left] = [useDenied(), useLeftToOthers()]
  const denied = (operation: Parameters<typeof mayNot>[0]) => mayNot(operation) ?? left
  const close = () => setDoing(null)
  const open = (what: What, rule: Rule) => setDoing({ what, rule })
  const items = (rule: Rule): MenuItem[] => [
    { label: 'Edit', icon: Pencil, onSelect: () => open('edit', rule), disabled: denied(updateRule) },
    rule.enabled
      ? { label: 'Switch off', icon: PowerOff, onSelect: () => open('disable', rule), disabled: denied(disableRule) }
      : { label: 'Switch on', icon: Power, onSelect: () => open('enable', rule), disabled: denied(enableRule) },
    rule.silenced_until === null || Date.parse(rule.silenced_until) <= Date.now()
      ? { label: 'Silence', icon: BellOff, onSelect: () => open('silence', rule), disabled: denied(silenceRule) }
      : { label: 'End the silence', icon: Bell, onSelect: () => open('unsilence', rule), disabled: denied(silenceRule) },
    { separator: true },
    { label: 'Delete', icon: Trash2, danger: true, onSelect: () => open('delete', rule), disabled: denied(deleteRule) },
  ]
  const dialog = doing && <RuleDialog doing={doing} onClose={close} {...(onMade && { onMade })} {...(onGone && { onGone })} />
  return { items, open, create: () => setDoing({ what: 'create' }), dialog }
}

type DialogProps = { doing: Doing; onClose: () => void; onMade?: (rule: Rule) => void; onGone?: () => void }

function RuleDialog({ doing, onClose, onMade, onGone }: DialogProps) {
  if (doing.what === 'create') return <RuleModal onClose={onClose} onDone={(rule) => onMade?.(rule)} />
  const { what, rule } = doing
  if (what === 'edit') return <RuleModal rule={rule} onClose={onClose} onDone={({ name }) => toast.success(`Saved ${plain(name)}`)} />
  if (what === 'silence') return <SilenceModal rule={rule} onClose={onClose} />
  const input = { params: { rule_id: rule.id } }
  if (what === 'delete') {
    return (
      <ConfirmCall
        operation={deleteRule}
        input={input}
        onClose={onClose}
        title={`Delete ${rule.name}?`}
        confirm="Delete rule"
        color="danger"
        done={`Deleted ${plain(rule.name)}`}
        onDone={() => onGone?.()}
      >
        Its history goes with it, and what it did can no longer be taken back from here. {dueWords(rule)}
      </ConfirmCall>
    )
  }
  if (what === 'unsilence') {
    return (
      <ConfirmCall
        operation={silenceRule}
        input={{ ...input, body: { until: null } }}
        onClose={onClose}
        title={`End the silence of ${rule.name}?`}
        confirm="End the silence"
        done={`${plain(rule.name)} is silenced no longer`}
      >
        What it fires for from now on it notifies of, and acts on. What it fired for meanwhile stays as it is.
      </ConfirmCall>
    )
  }
  if (what === 'enable') {
    return (
      <ConfirmCall
        operation={enableRule}
        input={input}
        onClose={onClose}
        title={`Switch on ${rule.name}?`}
        confirm="Switch on"
        done={`Switched on ${plain(rule.name)}`}
      >
        {whenWords(rule)}. {thenWords(rule)}. It is checked each minute, beginning with the day that runs (UTC).
      </ConfirmCall>
    )
  }
  return (
    <ConfirmCall
      operation={disableRule}
      input={input}
      onClose={onClose}
      title={`Switch off ${rule.name}?`}
      confirm="Switch off"
      color="danger"
      done={`Switched off ${plain(rule.name)}`}
    >
      Actions that are to come are called off. What it did stays, and can be taken back.
    </ConfirmCall>
  )
}

/** What is still taken back of itself. */
const dueWords = ({ due_back }: Rule) =>
  due_back === 0
    ? 'SIMs stay as they are.'
    : `${due_back === 1 ? 'One SIM is' : `${due_back.toLocaleString('en')} SIMs are`} still brought back when the day or month is over; others stay as they are.`
