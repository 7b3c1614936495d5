import type { ConfigChange } from '../../devices/config.ts'

/** The columns of a CSV file of changes that change the configuration of a CORE device. */
export const configColumns = [
  'apn',
  'network_priority',
  'network_interface_exceptions',
  'check_internet_interval',
  'send_monitoring_data_interval',
  'ping_timeout',
  'other_ping_timeout',
  'logger_level',
  'debug_mode',
  'verbose_mode',
] as const satisfies readonly (keyof ConfigChange)[]
export type ConfigColumn = (typeof configColumns)[number]

/** Every column that such a file may have, in the order of the example: `asset` names the asset of the row. */
export const csvColumns = [
  'asset',
  'name',
  'switch',
  'state',
  'limit',
  'raise',
  'imei_lock',
  'network_group',
  'add_tags',
  'remove_tags',
  'new_sim',
  'old_sim',
  ...configColumns,
] as const
export type CsvColumn = (typeof csvColumns)[number]
