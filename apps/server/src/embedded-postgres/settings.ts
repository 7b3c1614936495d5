import { totalmem } from 'node:os'

const mebibyte = 1024 * 1024

/** What a container may use where a limit is set, or what the machine has; bytes. */
const memory = () => Math.min(totalmem(), process.constrainedMemory() || Infinity)

/** Of the API and the jobs together, and some for commands; then those of each meter, and of the broker. */
const [ours, ofAMeter, ofTheBroker] = [54, 6, 6]

/** Kept for whoever comes as the superuser, when all others are taken. */
const forTheSuperuser = 1

export const connectionsFor = ({ meterProcesses }: { meterProcesses: number }) =>
  ours + ofAMeter * meterProcesses + ofTheBroker + forTheSuperuser

/** For many small writes beside lists, on a machine that has more to do than this. Figures and reasons: docs/decisions/0003. */
export const settingsFor = (bytes = memory()): Record<string, string | number> => ({
  // An eighth of the memory, taken as it is used: who reads should wait neither for the disk nor for what the meter changed to be written out.
  // A machine that takes back what its files have not used lately leaves these alone.
  shared_buffers: `${Math.min(4096, Math.max(96, Math.floor(bytes / mebibyte / 8)))}MB`,
  max_connections: connectionsFor({ meterProcesses: 1 }),
  superuser_reserved_connections: forTheSuperuser,
  work_mem: '4MB',
  maintenance_work_mem: '48MB',
  effective_cache_size: '512MB',
  random_page_cost: 1.1,
  jit: 'off',
  max_worker_processes: 4,
  max_parallel_workers: 2,
  max_parallel_workers_per_gather: 1,
  io_method: 'sync', // the worker processes of the default cost memory and help only cold scans
  autovacuum: 'on',
  autovacuum_max_workers: 2,
  autovacuum_naptime: '20s',
  autovacuum_vacuum_cost_delay: '10ms', // cleaning up takes longer, and packets and people wait less for it
  // Counting what tables hold is not slowed down by that. Tables of counters change by a tenth, the default, every few seconds.
  autovacuum_analyze_scale_factor: 0.5,
  max_locks_per_transaction: 256, // a query over 90 day partitions locks each of them and their indexes
  synchronous_commit: 'on', // an acknowledged packet is never lost
  fsync: 'on',
  full_page_writes: 'on',
  wal_level: 'minimal',
  max_logical_replication_workers: 0,
  max_wal_senders: 0,
  wal_compression: 'off', // the one kind this build has costs more than the disk it saves
  wal_buffers: '4MB',
  // A checkpoint's end and a new file of the log each hold up commits: fewer of the one, and a file once made is used again.
  min_wal_size: '1GB',
  max_wal_size: '2GB',
  checkpoint_timeout: '10min',
  log_checkpoints: 'off',
  log_min_messages: 'log', // a statement's error is the caller's to report
  log_line_prefix: '', // the line goes into our log, which has its own time
  timezone: 'UTC',
  log_timezone: 'UTC',
})

/** A cluster that nobody will miss: for tests. */
export const throwAwaySettings: Record<string, string | number> = {
  shared_buffers: '96MB',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_connections: 200,
  min_wal_size: '80MB',
  checkpoint_timeout: '1h',
}
