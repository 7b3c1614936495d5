import { configColumns, type ConfigColumn } from '@masthead/contract/assets/bulk/csv-columns'
import { ConfigChange } from '@masthead/contract/devices/config'

/** What a row changes of the configuration, undefined: nothing; or why that cannot be read, in words. */
export function readConfig(row: { [Name in ConfigColumn]?: string }): ConfigChange | string | undefined {
  const given: [ConfigColumn, unknown][] = []
  for (const name of configColumns) {
    const text = row[name]?.trim()
    if (text) given.push([name, valueOf(name, text)])
  }
  if (given.length === 0) return undefined
  const read = ConfigChange.safeParse(Object.fromEntries(given))
  if (read.success) return read.data
  const { path, message } = read.error.issues[0]!
  const column = String(path[0]) as ConfigColumn
  return `${column}: ${ownWords[column] ?? message}`
}

const ownWords: Partial<Record<ConfigColumn, string>> = {
  network_priority: 'Name interfaces or types with a number of 1 to 1000 each, like "TYPE_E=1;TYPE_C=2"',
  network_interface_exceptions: 'Name at most 16 interfaces, like "tun0;docker0", or write none',
  debug_mode: 'Write yes or no',
  verbose_mode: 'Write yes or no',
}

const booleans = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
])

/** As the schema reads it; what is no such value stays the text that it is, which the schema refuses. */
function valueOf(name: ConfigColumn, text: string): unknown {
  switch (name) {
    case 'apn':
      return text
    case 'logger_level':
      return text.toLowerCase()
    case 'network_priority':
      return prioritiesOf(text)
    case 'network_interface_exceptions':
      return text.toLowerCase() === 'none' ? [] : text.split(';').map((name) => name.trim())
    case 'debug_mode':
    case 'verbose_mode':
      return booleans.get(text.toLowerCase()) ?? text
    case 'check_internet_interval':
    case 'send_monitoring_data_interval':
    case 'ping_timeout':
    case 'other_ping_timeout':
      return /^\d{1,9}$/.test(text) ? Number(text) : text
  }
}

function prioritiesOf(text: string): unknown {
  const pairs = text.split(';').map((pair) => /^\s*([A-Za-z0-9][\w.-]*)\s*=\s*(\d{1,4})\s*$/.exec(pair))
  return pairs.some((pair) => pair === null) ? text : Object.fromEntries(pairs.map((pair) => [pair![1]!, Number(pair![2])]))
}
