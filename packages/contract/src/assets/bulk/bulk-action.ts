import * as z from 'zod/mini'

/** What can be done alike with many assets at once. */
export const AlikeAction = z.enum([
  'add_tags',
  'remove_tags',
  'activate_sim',
  'deactivate_sim',
  'standby_sim',
  'ready_sim',
  'terminate_sim',
  'set_limit',
  'raise_limit',
  'imei_lock',
  'set_network_group',
  /** Their open sessions are cut, so that their devices attach anew. */
  'reset_sim',
  /** The assets themselves: off, none of their SIMs has service, whatever it is set to. */
  'switch_on',
  'switch_off',
  /** Their managers and agents: asks for `core.edit` as well. */
  'update_core',
  /** What is sent to their CORE devices: asks for `core.edit` as well. */
  'configure_core',
  /** Our agent on their devices, to the version that the server has. */
  'update_agent',
  /** They leave the account, back to stock or over to another one: asks for `assets.register` as well. */
  'release',
])
export type AlikeAction = z.output<typeof AlikeAction>

/** The same, and the changes in which each asset has values of its own: by a CSV file, and back to what they were. */
export const BulkAction = z.enum([...AlikeAction.options, 'csv', 'undo'])
export type BulkAction = z.output<typeof BulkAction>

/** The word that whoever is sure types, for the actions that cannot be taken back. */
export const confirmWord: Partial<Record<AlikeAction, string>> = { terminate_sim: 'terminate', release: 'release' }

/** Their inverse is a change, too. A SIM that was terminated, or raised for a while, is not brought back, nor is an asset that left. */
export const undoable: readonly BulkAction[] = [
  'add_tags',
  'remove_tags',
  'activate_sim',
  'deactivate_sim',
  'standby_sim',
  'ready_sim',
  'set_limit',
  'imei_lock',
  'set_network_group',
  'switch_on',
  'switch_off',
  'csv',
]
