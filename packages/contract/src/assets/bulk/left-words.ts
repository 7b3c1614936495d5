import type { LeftReason } from './bulk.ts'

const reasons: Record<LeftReason, string> = {
  already: 'As it should be already',
  no_sim: 'No SIM',
  no_core: 'No CORE device',
  no_agent: 'No agent of ours',
  too_many_changes: 'Too many changes wait for the device',
  terminated: 'Terminated permanently',
  inventory: 'SIM not registered yet',
  wrong_state: 'SIM in a state that does not allow it',
  no_session: 'No session is open',
  no_limit: 'No data limit to raise',
  not_higher: 'Limit allows as much already',
  held: 'Held by support staff',
  suspended: 'The account is suspended',
  in_session: 'Open session: deactivate it first',
  new_sim_unknown: 'No such SIM in stock',
  new_sim_yours: 'New SIM is yours already',
  new_sim_taken: 'New SIM is of another account',
  new_sim_reserved: 'New SIM is reserved',
  new_sim_unconfirmed: 'Confirm your e-mail address: the new SIM was handed over to it',
  changed_since: 'Changed since by somebody',
  not_undoable: 'Cannot be taken back',
  bad_row: 'Row cannot be read',
  twice: 'Named by an earlier row',
  too_many_tags: 'More than 50 tags on one',
  last_tag: 'Last of your tags on it',
  gone: 'No longer there',
  not_allowed: 'No longer allowed',
  failed: 'Could not be changed: contact support',
}

/** Why an asset was left as it is, in a few words; of a file that names it, where it names none. */
export const leftWords = (reason: LeftReason, ofFile: boolean): string =>
  reason === 'gone' && ofFile ? 'No such asset here' : reasons[reason]
