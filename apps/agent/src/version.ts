/** Of the agent. npm run agent:version writes this file. */
export const version = '0.330.55500'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = 'c4b7d79840aa352547de1acae535775aa2c0d4bcf3494ba84b6dbe9f97fbbe83'
