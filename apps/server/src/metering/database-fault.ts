/**
 * What a failed batch needs: `away`, wait for the database; `again`, it met another meter; `partition`, a new day has no partition yet;
 * `poison`, it fails whenever it is tried.
 */
export type DatabaseFault = 'away' | 'again' | 'partition' | 'poison'

// Connection trouble, shutting down, starting up, out of disk, memory or connections, cancelled, i/o error, read-only after a failover.
const away = /^(08|53|57|58|25006|ECONN|ENOENT|EPIPE|ETIMEDOUT|EAI_|EHOST|ENETUN)/
const again = /^(40|55P03)/

export function faultOf(error: unknown): DatabaseFault {
  const {
    code = '',
    message = '',
    constraint = '',
    table = '',
  } = error as { code?: string; message?: string; constraint?: string; table?: string }
  if (away.test(code) || (code === '' && /connection|timeout|terminated|not queryable/i.test(message))) return 'away'
  if (again.test(code) || (code === '23505' && constraint === 'data_session_key')) return 'again'
  if (code === '23514' && table === 'usage_record') return 'partition'
  return 'poison'
}
