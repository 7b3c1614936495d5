import { mkdtempSync, readdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discardEmbeddedPostgres, startEmbeddedPostgres } from '@masthead/server/embedded-postgres/embedded-postgres'
import { clusterVariable, makeTemplate } from '@masthead/testkit/cluster'

const prefix = 'masthead-test-'
const quiet = () => {}

/** A PostgreSQL for one run of the tests, which goes with it. Ends those of runs that were killed. */
export async function startTestCluster() {
  const temporary = realpathSync(tmpdir())
  for (const name of readdirSync(temporary)) {
    if (name.startsWith(prefix)) await discardEmbeddedPostgres(join(temporary, name))
  }
  const cluster = await startEmbeddedPostgres({
    dataDir: mkdtempSync(join(temporary, prefix)),
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
