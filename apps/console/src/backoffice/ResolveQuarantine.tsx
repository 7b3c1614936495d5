import { discardQuarantine, matchQuarantine, type Quarantined } from '@masthead/contract/backoffice/quarantine-operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { Controller } from 'react-hook-form'
import { FormModal } from '../kit/FormModal.tsx'
import { FormText } from '../kit/FormField.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { toast } from '../ui/toast.ts'

type Props = { row: Quarantined; onClose: () => void }

const Tick = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <Controller
    name={name}
    render={({ field }) => (
      <Checkbox checked={field.value as boolean} onChange={({ target }) => field.onChange(target.checked)}>
        {children}
      </Checkbox>
    )}
  />
)

/** Says whose SIM it was. */
export const MatchQuarantined = ({ row, onClose }: Props) => (
  <FormModal
    open
    onClose={onClose}
    title={row.kind === 'uncounted' ? `Count the usage left out for ${row.identity}?` : `Whose SIM is ${row.identity}?`}
    operation={matchQuarantine}
    values={{ sim: row.kind === 'uncounted' ? row.identity : '', all_sessions: row.kind === 'unknown', add_imsi: false, reason: '' }}
    input={(body) => ({ params: { quarantine_id: row.id }, body })}
    submit={row.kind === 'uncounted' ? 'Count it' : 'Count it for this SIM'}
    onDone={({ sessions, bytes, asset_name }) =>
      void toast.success(`${formatBytes(bytes)} of ${sessions} ${sessions === 1 ? 'session is' : 'sessions are'} counted for ${asset_name}`)
    }
  >
    <p className="text-fg-2 text-pretty">
      {row.kind === 'uncounted'
        ? `${row.why}. If you count it, it counts against the SIM’s data limit too. What its session used since then is counted already.`
        : 'What was used is counted for that SIM, once, and counts against its data limit. If a session goes on, the rest is counted for it too.'}
    </p>
    <FormText name="sim" label="SIM" mono placeholder="ICCID, IMSI, MSISDN or serial number" />
    <Tick name="all_sessions">All waiting sessions of this number</Tick>
    {row.kind === 'unknown' && <Tick name="add_imsi">Add this IMSI to the SIM, so that its next sessions are counted at once</Tick>}
    <FormText name="reason" label="Reason" hint="The customer sees it in their activities." />
  </FormModal>
)

/** Discards it for good. */
export const DiscardQuarantined = ({ row, onClose }: Props) => (
  <FormModal
    open
    onClose={onClose}
    title={`Discard what ${row.identity} used?`}
    operation={discardQuarantine}
    values={{ all_sessions: true, reason: '' }}
    input={(body) => ({ params: { quarantine_id: row.id }, body })}
    submit="Discard"
    color="danger"
    onDone={({ sessions }) => void toast.success(`${sessions === 1 ? 'One session is' : `${sessions} sessions are`} discarded`)}
  >
    <p className="text-fg-2 text-pretty">It is not counted for any SIM and cannot be matched later. The record is kept with your reason.</p>
    <Tick name="all_sessions">All waiting sessions of this number</Tick>
    <FormText name="reason" label="Reason" />
  </FormModal>
)
