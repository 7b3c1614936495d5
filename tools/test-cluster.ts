import { existsSync, mkdtempSync, readdirSync, realpathSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discardEmbeddedPostgres, startEmbeddedPostgres } from '@masthead/server/embedded-postgres/embedded-postgres'
import { clusterVariable, makeTemplate } from '@masthead/testkit/cluster'

const prefix = 'masthead-test-'
const quiet = () => {}

const memory = '/dev/shm'
const enough = 4 * 1024 ** 3 // bytes: the databases of all tests that run at once, and the log

/** Each house is a copy of some 1,500 files. To make them takes a disk up to 1 s, and memory 0.03 s. */
function roomForClusters(): string {
  if (!existsSync(memory)) return realpathSync(tmpdir())
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= enough ? memory : realpathSync(tmpdir())
}

/** A PostgreSQL for one run of the tests, which goes with it. Ends those of runs that were killed. */
export async function startTestCluster() {
  const room = roomForClusters()
  for (const name of readdirSync(room)) {
    if (name.startsWith(prefix)) await discardEmbeddedPostgres(join(room, name))
  }
  const cluster = await startEmbeddedPostgres({
    dataDir: mkdtempSync(join(room, prefix)),
    throwAway: true,
    log: { debug: quiet, info: quiet, warn: console.warn },
  })
  return cluster
}

/** For vitest: a cluster with the migrated template that every house is a copy of. */
export async function setup() {
  const cluster = await startTestCluster()
  process.env[clusterVariable] = cluster.url
  await makeTemplate().catch(async (error: unknown) => {
    await cluster.stop()
    throw error
  })
  return cluster.stop
}
