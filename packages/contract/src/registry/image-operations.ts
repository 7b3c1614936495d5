import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { Comparison } from './comparison.ts'
import { Digest } from './image.ts'
import { LayerFiles } from './layer-file.ts'
import { layerUnreadable, notScannable, registrySuspended, scannerMissing } from './problems.ts'
import { Vulnerabilities } from './vulnerability.ts'

export const getLayerFiles = operation({
  name: 'registry.getLayerFiles',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/images/{digest}/layers/{layer}/files',
  summary: 'The files of a layer of an image, by the place of the layer: 1 is the first (at most 10,000 files)',
  access: 'registry.view',
  reply: LayerFiles,
  problems: [notFound, layerUnreadable],
})

export const getVulnerabilities = operation({
  name: 'registry.getVulnerabilities',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/images/{digest}/vulnerabilities',
  summary: 'What is known to be vulnerable in an image: packages of its newest SBOM compared with advisories, and what a scanner reported',
  access: 'registry.view',
  reply: Vulnerabilities,
  problems: [notFound],
})

/** Of an index each of its images is scanned. What is scanned already, or waits for it, goes on. */
export const scanImage = operation({
  name: 'registry.scanImage',
  method: 'POST',
  path: '/registry/repositories/{repository_id}/images/{digest}/scan',
  summary: 'Have the scanner of the installation look into an image, again where it did before',
  access: 'registry.edit',
  reply: Vulnerabilities,
  problems: [notFound, scannerMissing, notScannable, registrySuspended],
})

export const getImageComparison = operation({
  name: 'registry.getImageComparison',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/images/{digest}/comparison',
  summary:
    'What an image has that another of the repository (`before`) has not, and the other way round; of `platform` (`linux/arm64`), or the first that both have, where one of them is of several',
  access: 'registry.view',
  query: z.object({ before: Digest, platform: z.optional(z.string().check(z.maxLength(160))) }),
  reply: Comparison,
  problems: [notFound],
})
