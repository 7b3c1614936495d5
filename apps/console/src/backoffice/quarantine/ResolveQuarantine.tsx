import { discardQuarantine, matchQuarantine, type Quarantined } from '@masthead/contract/backoffice/quarantine-operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { Controller } from 'react-hook-form'
import { FormModal } from '../../kit/FormModal.tsx'
import { FormText } from '../../kit/FormField.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { toast } from '../../ui/toast.ts'
import { isNameless, numberOf } from './number-of.ts'

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

/** What counting does. */
function counting(row: Quarantined): string {
  const { kind, why, only_sim, acct_session_id } = row
  if (kind === 'uncounted')
    return `${why}. If you count it, it counts against the SIM’s data limit too. What its session used since then is counted already.`
  if (only_sim)
    return `Session ${acct_session_id} is counted for SIM ${only_sim}. If ${numberOf(row)} is another number of this SIM, the rest of the session is counted for it, once, and counts against its data limit. If it is not, discard this, and give each gateway a NAS-Identifier of its own.`
  return 'What was used is counted for that SIM, once, and counts against its data limit. If a session goes on, the rest is counted for it too.'
}

/** Says whose SIM it was. */
export const MatchQuarantined = ({ row, onClose }: Props) => (
  <FormModal
    open
    onClose={onClose}
    title={row.kind === 'uncounted' ? `Count the usage left out for ${numberOf(row)}?` : `Whose SIM is ${numberOf(row)}?`}
    operation={matchQuarantine}
    values={{
      sim: row.only_sim ?? row.session_sim ?? (row.kind === 'uncounted' ? row.identity : ''),
      // Other sessions of the number may be counted for other SIMs.
      all_sessions: row.kind === 'unknown' && !row.only_sim,
      add_imsi: false,
      reason: '',
    }}
    input={(body) => ({ params: { quarantine_id: row.id }, body })}
    submit={row.kind === 'uncounted' ? 'Count it' : 'Count it for this SIM'}
    onDone={({ sessions, bytes, asset_name }) =>
      void toast.success(`${formatBytes(bytes)} of ${sessions} ${sessions === 1 ? 'session is' : 'sessions are'} counted for ${asset_name}`)
    }
  >
    <p className="text-fg-2 text-pretty">{counting(row)}</p>
    <FormText name="sim" label="SIM" mono placeholder="ICCID, IMSI, MSISDN or serial number" />
    {!isNameless(row) && <Tick name="all_sessions">All waiting sessions of this number</Tick>}
    {row.kind === 'unknown' && <Tick name="add_imsi">Add this IMSI to the SIM, so that its next sessions are counted at once</Tick>}
    <FormText name="reason" label="Reason" hint="The customer sees it in their activities." />
  </FormModal>
)

/** What is given up, by what kept it from being counted. */
function discarding(row: Quarantined): { title: string; words: string } {
  const { kind, gateway, counted_by } = row
  const number = numberOf(row)
  const kept = 'The record is kept with your reason.'
  if (kind === 'uncounted')
    return {
      title: `Discard what was left out for ${number}?`,
      words: `It stays uncounted for good. The rest of its session is still counted. ${kept}`,
    }
  if (kind === 'elsewhere')
    return {
      title: `Discard what ${gateway} reported of ${number}?`,
      words: `The session is still counted at ${counted_by ?? 'the other gateway'}. If the two gateways are one, join them instead: then what this one reported counts, too. ${kept}`,
    }
  if (kind === 'unstorable') return { title: `Discard the packet of ${number}?`, words: `It holds no usage that can be counted. ${kept}` }
  return { title: `Discard what ${number} used?`, words: `It is not counted for any SIM and cannot be matched later. ${kept}` }
}

/** Discards it for good. */
export const DiscardQuarantined = ({ row, onClose }: Props) => (
  <FormModal
    open
    onClose={onClose}
    title={discarding(row).title}
    operation={discardQuarantine}
    values={{ all_sessions: !isNameless(row), reason: '' }}
    input={(body) => ({ params: { quarantine_id: row.id }, body })}
    submit="Discard"
    color="danger"
    onDone={({ sessions }) => void toast.success(`${sessions === 1 ? 'One session is' : `${sessions} sessions are`} discarded`)}
  >
    <p className="text-fg-2 text-pretty">{discarding(row).words}</p>
    {!isNameless(row) && (
      <Tick name="all_sessions">
        {row.kind === 'unknown' ? 'All waiting sessions of this number' : 'All waiting records of this number with the same cause'}
      </Tick>
    )}
    <FormText name="reason" label="Reason" />
  </FormModal>
)
