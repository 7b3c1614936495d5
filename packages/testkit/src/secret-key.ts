/** What encrypts secrets in the databases of tests, as MASTHEAD_SECRET_KEY says it: several products may share one. */
export const testSecretKey = Buffer.alloc(32, 'test').toString('base64')
