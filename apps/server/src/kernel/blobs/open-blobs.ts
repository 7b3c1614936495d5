import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Blobs } from './blobs.ts'
import { fileBlobs } from './file-blobs.ts'
import { s3Blobs } from './s3-blobs.ts'

/** Where the configuration says: a store that speaks S3, or files of the data directory. */
export const openBlobs = ({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): Blobs => (s3 ? s3Blobs(s3) : fileBlobs(join(dataDir, 'blobs')))
