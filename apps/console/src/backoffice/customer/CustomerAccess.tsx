import { updateFeatureFlags, updateGroups, type CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import { useState } from 'react'
import { FormText } from '../../kit/FormField.tsx'
import { FormLines } from '../../kit/FormLines.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/Checkbox.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ReasonModal } from '../ReasonModal.tsx'
import { useRefusal } from './use-refusal.ts'

/** Parts of the console that are switched for the account. */
export function Features({ customer }: { customer: CustomerDetails }) {
  const [asking, setAsking] = useState(false)
  const { email } = customer
  const refused = useRefusal(customer)
  const on = customer.feature_flags.network_groups
  return (
    <Panel title="Features">
      <div className="flex items-center gap-3">
        <span className="grid min-w-0 flex-1">
          <span className="font-medium">Network groups</span>
          <span className="text-xs text-fg-3">{refused ?? 'The screen and its menu item'}</span>
        </span>
        <span className="text-xs text-fg-3">{on ? 'On' : 'Off'}</span>
        <Switch checked={on} label="Network groups" disabled={Boolean(refused)} onChange={() => setAsking(true)} />
      </div>
      <ReasonModal
        open={asking}
        onClose={() => setAsking(false)}
        title={on ? 'Switch network groups off?' : 'Switch network groups on?'}
        operation={updateFeatureFlags}
        params={{ email }}
        body={{ network_groups: !on }}
        submit={on ? 'Switch off' : 'Switch on'}
        color={on ? 'danger' : 'success'}
      >
        <p>
          {on
            ? 'The customer no longer sees network groups. Those they have stay as they are.'
            : 'The customer sees network groups at once.'}
        </p>
      </ReasonModal>
    </Panel>
  )
}

/** The groups of the owner: screens and integrations of an installation can ask for them. */
export function Groups({ customer }: { customer: CustomerDetails }) {
  const [asking, setAsking] = useState(false)
  const { email, groups } = customer
  return (
    <Panel
      title="Groups"
      end={
        <Button size="small" disabled={useRefusal(customer)} onClick={() => setAsking(true)}>
          Change groups
        </Button>
      }
    >
      <p className={groups.length === 0 ? 'text-fg-2' : 'wrap-anywhere'}>{groups.join(', ') || 'In no group.'}</p>
      <FormModal
        open={asking}
        onClose={() => setAsking(false)}
        title={`Groups of ${email}`}
        operation={updateGroups}
        values={{ groups, reason: '' }}
        input={(body) => ({ params: { email }, body })}
        submit="Save"
      >
        <FormLines name="groups" label="Groups" hint="One a line. What asks for several groups opens for who is in all of them." />
        <FormText name="reason" label="Reason" />
      </FormModal>
    </Panel>
  )
}
