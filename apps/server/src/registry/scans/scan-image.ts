import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { scanRequested } from '@masthead/contract/registry/events'
import { notScannable, scannerMissing } from '@masthead/contract/registry/problems'
import type { Vulnerabilities } from '@masthead/contract/registry/vulnerability'
import type { Actor, Tx } from '../../kernel/app.ts'
import type { Config } from '../../kernel/config.ts'
import { record } from '../../kernel/record.ts'
import { getVulnerabilities } from '../attached/vulnerabilities.ts'
import { childrenOf } from '../content/children-of.ts'
import { findManifest } from '../content/manifests.ts'
import type { Repository } from '../content/repository.ts'
import { isDigest } from '../protocol/address.ts'
import { getRepositoryHere } from '../repository-here.ts'
import { needService } from '../suspended.ts'
import { wantScans } from './want-scans.ts'

/** Throws not_found, scanner_missing, not_scannable and registry_suspended. */
export async function scanImage(tx: Tx, actor: Actor, asked: string, digest: string, { integrations }: Config): Promise<Vulnerabilities> {
  const repository = await getRepositoryHere(tx, actor, asked)
  const found = isDigest(digest) ? await findManifest(tx, repository, digest) : null
  if (!found) throw new Problem(notFound)
  if (!integrations.scanner) throw new Problem(scannerMissing)
  await needService(tx, actor)
  if (found.subject !== null) throw new Problem(notScannable)
  const digests = isIndex(found.media_type) ? await imagesOf(tx, repository, digest) : [digest]
  if (digests.length === 0) throw new Problem(notScannable)
  const wanted = await wantScans(tx, { account_id: actor.account_id, digests, at: actor.at, by: actor.key?.name ?? actor.email })
  if (wanted > 0) await record(tx, actor, scanRequested, { repository: repository.name, digest })
  return getVulnerabilities(tx, actor, asked, digest, true)
}

const isIndex = (mediaType: string) => /\.(index|list)\./.test(mediaType)

/** What an index names that a scanner can look into. */
async function imagesOf(tx: Tx, repository: Repository, index: string): Promise<string[]> {
  const children = (await childrenOf(tx, repository, [index]))(index)
  if (children.length === 0) return []
  const rows = await tx
    .selectFrom('registry_manifest')
    .select(['digest', 'platforms', 'config'])
    .where('account_id', '=', repository.account_id)
    .where('repository_id', '=', repository.repository_id)
    .where('digest', 'in', children)
    .execute()
  return rows.filter(({ platforms, config }) => config !== null && platforms.length > 0).map(({ digest }) => digest)
}
