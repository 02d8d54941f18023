import { type GraphQLSchema } from 'graphql';
/**
 * What a schema lacks of a contract, one sentence each: types, fields, arguments, nullability, defaults, enum values, union members and
 * interfaces must be the same; more types, fields and values are fine.
 */
export declare function missingFromSchema(contract: GraphQLSchema, schema: GraphQLSchema): string[];
