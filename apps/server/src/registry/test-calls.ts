import type { CallRows } from '../test-calls.ts'
import { samplePublicKeys } from './test-samples.ts'

const tag = { access: 'registry.edit' }
const rule = { keep_newest: 10, keep_days: null, keep_like: [], untagged_days: null }
export const calls: CallRows = {
  'registry.getRegistry': { access: 'registry.view' },
  'registry.chooseSlug': {
    access: 'registry.edit',
    // Its own: with a repository there is no choice any more.
    sample: ({ registry }) => ({ body: { slug: registry.slug }, other: { slug: `${registry.slug}-2` } }),
  },
  'registry.listRepositories': { access: 'registry.view' },
  'registry.getRepository': { access: 'registry.view', sample: ({ registry }) => ({ params: { repository_id: registry.id } }) },
  'registry.deleteRepository': {
    access: 'registry.edit',
    sample: ({ registry }) => ({ params: { repository_id: registry.id }, other: { repository_id: registry.other_id } }),
  },
  'registry.listTags': { access: 'registry.view', sample: ({ registry }) => ({ params: { repository_id: registry.id } }) },
  'registry.addTag': {
    ...tag,
    sample: ({ registry: { id, digest, other_digest } }) => ({
      params: { repository_id: id },
      body: { tag: 'v2', digest },
      other: { tag: 'v2', digest: other_digest },
    }),
  },
  'registry.setTagProtection': {
    ...tag,
    sample: ({ registry }) => ({
      params: { repository_id: registry.id, tag: 'v1' },
      body: { protected: true },
      other: { protected: false },
    }),
  },
  'registry.deleteTag': {
    ...tag,
    sample: ({ registry }) => ({ params: { repository_id: registry.id, tag: 'v1' }, other: { repository_id: registry.id, tag: 'v1.0' } }),
  },
  'registry.getImage': {
    access: 'registry.view',
    sample: ({ registry: { id, digest } }) => ({ params: { repository_id: id, digest } }),
  },
  'registry.listDeployedImage': {
    access: 'assets.view',
    sample: ({ registry: { id, digest } }) => ({ params: { repository_id: id, digest } }),
  },
  'registry.listDeployed': { access: 'assets.view', sample: ({ registry }) => ({ params: { repository_id: registry.id } }) },
  'registry.deployTag': {
    access: 'assets.edit',
    sample: ({ registry, agent, limited }) => ({
      params: { repository_id: registry.id, tag: 'v1' },
      body: { asset_ids: [agent.asset_id] },
      other: { asset_ids: [limited.id] },
    }),
  },
  'registry.deleteImage': {
    access: 'registry.edit',
    sample: ({ registry: { id, digest, other_digest } }) => ({
      params: { repository_id: id, digest },
      other: { repository_id: id, digest: other_digest },
    }),
  },
  'registry.previewRemoval': {
    ...tag,
    sample: ({ registry }) => ({ params: { repository_id: registry.id }, body: { names: ['v1'] }, other: { names: ['v1.0'] } }),
  },
  'registry.removeTags': {
    ...tag,
    sample: ({ registry }) => ({
      params: { repository_id: registry.id },
      body: { names: ['v1'], what: 'all', count: 1 },
      other: { names: ['v1.0'], what: 'all', count: 1 },
    }),
  },
  'registry.getUntagged': { access: 'registry.view', sample: ({ registry }) => ({ params: { repository_id: registry.id } }) },
  'registry.removeUntagged': {
    ...tag,
    sample: ({ registry }) => ({ params: { repository_id: registry.id }, body: { images: 0 }, other: { images: 1 } }),
  },
  'registry.setImmutableTags': { ...tag, sample: () => ({ body: { patterns: ['release-*'] }, other: { patterns: ['stable'] } }) },
  'registry.listRetention': { access: 'registry.view' },
  'registry.setRetention': { ...tag, sample: () => ({ body: { repository: null, rule }, other: { repository: null, rule: null } }) },
  'registry.previewRetention': {
    ...tag,
    sample: () => ({ body: { repository: null, rule }, other: { repository: null, rule: { ...rule, keep_newest: 3 } } }),
  },
  'registry.cleanUpNow': tag,
  'registry.listCleanUps': { access: 'registry.view' },
  'registry.getCleanUp': {
    access: 'registry.view',
    sample: ({ registry }) => ({ params: { clean_up_id: registry.clean_up_id } }),
  },
  'registry.listRobots': { access: 'registry.view' },
  'registry.createRobot': { access: 'registry.edit', sample: () => ({ body: { name: 'ci' }, other: { name: 'ci-2' } }) },
  'registry.deleteRobot': {
    access: 'registry.edit',
    sample: ({ registry }) => ({ params: { robot_id: registry.robot_id }, other: { robot_id: 'another' } }),
  },
  'registry.listPackages': {
    access: 'registry.view',
    sample: ({ registry: { id, digest } }) => ({ params: { repository_id: id, digest } }),
  },
  'registry.getVulnerabilities': {
    access: 'registry.view',
    sample: ({ registry: { id, digest } }) => ({ params: { repository_id: id, digest } }),
  },
  'registry.scanImage': {
    ...tag,
    sample: ({ registry: { id, digest, other_digest } }) => ({
      params: { repository_id: id, digest },
      other: { repository_id: id, digest: other_digest },
    }),
  },
  'registry.getImageComparison': {
    access: 'registry.view',
    sample: ({ registry: { id, digest, other_digest } }) => ({ params: { repository_id: id, digest }, query: { before: other_digest } }),
  },
  'registry.getLayerFiles': {
    access: 'registry.view',
    sample: ({ registry: { id, digest } }) => ({ params: { repository_id: id, digest, layer: '1' } }),
  },
  'registry.listSigningKeys': { access: 'registry.view' },
  'registry.addSigningKey': {
    ...tag,
    sample: () => ({
      body: { name: 'ci', public_key: samplePublicKeys.one },
      other: { name: 'ci-2', public_key: samplePublicKeys.other },
    }),
  },
  'registry.renameSigningKey': {
    ...tag,
    sample: ({ registry: { signing_key_id } }) => ({ params: { signing_key_id }, body: { name: 'release' }, other: { name: 'release-2' } }),
  },
  'registry.removeSigningKey': {
    ...tag,
    sample: ({ registry: { signing_key_id } }) => ({ params: { signing_key_id }, other: { signing_key_id: 'another' } }),
  },
}
