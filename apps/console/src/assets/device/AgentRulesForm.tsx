import { agentLeftAloneFor, mostAgentFailures, mostAgentUpdates, type AgentRules } from '@masthead/contract/devices/agent/agent-rules'
import { updateAgentRules } from '@masthead/contract/devices/agent/agent-rules-operations'
import { WindowFields } from '../../alpon-fleets/index.ts'
import { FormCheckbox } from '../../kit/FormField.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { toast } from '../../ui/toast.ts'

/** Whether agents are updated automatically, and when. */
export const AgentRulesForm = ({ rules: { enabled, window }, onClose }: { rules: AgentRules; onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Agent updates"
    operation={updateAgentRules}
    values={{ enabled, window }}
    submit="Save"
    onDone={() => toast.success('Agent updates saved')}
  >
    <FormCheckbox name="enabled">Update agents automatically</FormCheckbox>
    <WindowFields name="window" label="Begin updates in a maintenance window only" />
    <p className="text-xs text-fg-3">
      At most {mostAgentUpdates} devices are updated at the same time. Containers go on running; terminals and tunnels to a device end. A
      device that could not be updated is left alone for {agentLeftAloneFor / 3_600_000} hours, and after {mostAgentFailures} failures in a
      row no other device is asked.
    </p>
  </FormModal>
)
