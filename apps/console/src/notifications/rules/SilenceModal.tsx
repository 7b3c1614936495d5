import { formatMoment } from '@masthead/contract/kernel/time'
import type { Rule } from '@masthead/contract/notifications/rule'
import { silenceRule } from '@masthead/contract/notifications/rule-operations'
import { useState } from 'react'
import { FormModal } from '../../kit/FormModal.tsx'
import { FormSelect } from '../../kit/FormSelect.tsx'
import { plain, toast } from '../../ui/toast.ts'

const lengths = [
  { label: 'An hour', hours: 1 },
  { label: '8 hours', hours: 8 },
  { label: 'A day', hours: 24 },
  { label: '3 days', hours: 72 },
  { label: 'A week', hours: 168 },
  { label: '30 days', hours: 720 },
]

/** Until when a rule is to notify nobody and change no SIM. */
export function SilenceModal({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const [options] = useState(() =>
    lengths.map(({ label, hours }) => {
      const value = new Date(Date.now() + hours * 3_600_000).toISOString()
      return { value, label: `${label}, until ${formatMoment(value)}` }
    })
  )
  return (
    <FormModal
      open
      onClose={onClose}
      title={`Silence ${rule.name}`}
      operation={silenceRule}
      values={{ until: options[0]!.value }}
      input={(body) => ({ params: { rule_id: rule.id }, body })}
      submit="Silence"
      onDone={() => toast.success(`Silenced ${plain(rule.name)}`)}
    >
      <FormSelect
        name="until"
        label="For how long"
        options={options}
        hint="Until then it notifies nobody and changes no SIM, and actions that fall due are not done. What it fires for stands in its history."
      />
    </FormModal>
  )
}
