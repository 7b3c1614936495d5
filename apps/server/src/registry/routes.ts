import * as images from '@masthead/contract/registry/image-operations'
import * as ops from '@masthead/contract/registry/operations'
import * as removals from '@masthead/contract/registry/removal-operations'
import * as retention from '@masthead/contract/registry/retention-operations'
import * as sboms from '@masthead/contract/registry/sbom-operations'
import * as signing from '@masthead/contract/registry/signing-operations'
import { ownHosts } from '../devices/agent/index.ts'
import { reach, read, write, type Route } from '../kernel/http/routes.ts'
import { listPackages } from './attached/sboms.ts'
import { addSigningKey, listSigningKeys, removeSigningKey, renameSigningKey } from './attached/signing-keys.ts'
import { getVulnerabilities } from './attached/vulnerabilities.ts'
import { addTag, chooseSlug, deleteImage, deleteRepository, deleteTag, setImmutableTags, setTagProtection } from './change-registry.ts'
import { deployTag, listDeployedOf } from './deploy-tag.ts'
import { getImage, listDeployedImage } from './get-image.ts'
import { compareImages } from './layers/compare-images.ts'
import { getLayerFiles } from './layers/layer-files.ts'
import { getRegistry, getRepository, listRepositories, listTags } from './registry-queries.ts'
import { previewRemoval, removeTags } from './removal/remove-tags.ts'
import { getUntagged, removeUntagged } from './removal/remove-untagged.ts'
import { cleanUpNow, getCleanUp, listCleanUps, previewRetention } from './retention/clean-up-tags.ts'
import { listRetention } from './retention/retention-queries.ts'
import { setRetention } from './retention/set-retention.ts'
import { createRobot, deleteRobot, listRobots } from './robots.ts'
import { scanImage } from './scans/scan-image.ts'

export const registryRoutes: Route[] = [
  read(ops.getRegistry, ({ db, actor }) => getRegistry(db, actor)),
  write(ops.chooseSlug, ({ db, actor, body }) => chooseSlug(db, actor, body.slug)),
  read(ops.listRepositories, ({ db, config, actor, query }) => listRepositories(db, ownHosts(config), actor, query)),
  read(ops.getRepository, ({ db, config, actor, params }) => getRepository(db, ownHosts(config), actor, params.repository_id)),
  write(ops.deleteRepository, ({ db, actor, params }) => deleteRepository(db, actor, params.repository_id)),
  read(ops.listTags, ({ db, config, actor, params, query }) => listTags(db, ownHosts(config), actor, params.repository_id, query)),
  write(ops.addTag, ({ db, config, actor, params, body }) => addTag(db, ownHosts(config), actor, params.repository_id, body)),
  write(ops.setTagProtection, ({ db, config, actor, params, body }) =>
    setTagProtection(db, ownHosts(config), actor, params.repository_id, params.tag, body.protected)
  ),
  write(ops.deleteTag, ({ db, actor, params }) => deleteTag(db, actor, params.repository_id, params.tag)),
  read(ops.getImage, ({ db, actor, params }) => getImage(db, actor, params.repository_id, params.digest)),
  read(ops.listDeployedImage, ({ db, config, actor, params, query }) =>
    listDeployedImage(db, ownHosts(config), actor, params.repository_id, params.digest, query)
  ),
  read(ops.listDeployed, ({ db, config, actor, params, query }) =>
    listDeployedOf(db, ownHosts(config), actor, params.repository_id, query)
  ),
  write(ops.deployTag, ({ db, config, actor, params, body }) =>
    deployTag(db, ownHosts(config), actor, { repository: params.repository_id, tag: params.tag }, body.asset_ids)
  ),
  write(ops.deleteImage, ({ db, actor, params }) => deleteImage(db, actor, params.repository_id, params.digest)),
  write(removals.previewRemoval, ({ db, actor, params, body }) => previewRemoval(db, actor, params.repository_id, body)),
  write(removals.removeTags, ({ db, actor, params, body }) => removeTags(db, actor, params.repository_id, body)),
  read(removals.getUntagged, ({ db, actor, params }) => getUntagged(db, actor, params.repository_id)),
  write(removals.removeUntagged, ({ db, actor, params, body }) => removeUntagged(db, actor, params.repository_id, body)),
  write(removals.setImmutableTags, ({ db, actor, body }) => setImmutableTags(db, actor, body.patterns)),
  read(retention.listRetention, ({ db, actor }) => listRetention(db, actor)),
  write(retention.setRetention, ({ db, actor, body }) => setRetention(db, actor, body)),
  write(retention.previewRetention, ({ db, actor, body }) => previewRetention(db, actor, body)),
  write(retention.cleanUpNow, ({ db, actor }) => cleanUpNow(db, actor)),
  read(retention.listCleanUps, ({ db, actor, query }) => listCleanUps(db, actor, query)),
  read(retention.getCleanUp, ({ db, actor, params }) => getCleanUp(db, actor, params.clean_up_id)),
  read(ops.listRobots, async ({ db, actor }) => ({ items: await listRobots(db, actor) })),
  write(ops.createRobot, ({ db, actor, body }) => createRobot(db, actor, body)),
  write(ops.deleteRobot, ({ db, actor, params }) => deleteRobot(db, actor, params.robot_id)),
  read(sboms.listPackages, ({ db, actor, params, query }) => listPackages(db, actor, params.repository_id, params.digest, query)),
  read(images.getVulnerabilities, ({ db, actor, params, config }) =>
    getVulnerabilities(db, actor, params.repository_id, params.digest, config.integrations.scanner !== null)
  ),
  write(images.scanImage, ({ db, actor, params, config }) => scanImage(db, actor, params.repository_id, params.digest, config)),
  read(images.getImageComparison, ({ db, actor, params, query }) => compareImages(db, actor, params.repository_id, params.digest, query)),
  reach(images.getLayerFiles, ({ app, actor, params: { repository_id, digest, layer } }) =>
    getLayerFiles(app, actor, { asked: repository_id, digest, layer })
  ),
  read(signing.listSigningKeys, async ({ db, actor }) => ({ items: await listSigningKeys(db, actor) })),
  write(signing.addSigningKey, ({ db, actor, body }) => addSigningKey(db, actor, body)),
  write(signing.renameSigningKey, ({ db, actor, params, body }) => renameSigningKey(db, actor, params.signing_key_id, body.name)),
  write(signing.removeSigningKey, ({ db, actor, params }) => removeSigningKey(db, actor, params.signing_key_id)),
]
