import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, isUnionType } from 'graphql';
/**
 * What a schema lacks of a contract, one sentence each: types, fields, arguments, nullability, defaults, enum values, union members and
 * interfaces must be the same; more types, fields and values are fine.
 */
export function missingFromSchema(contract, schema) {
  return Object.values(contract.getTypeMap())
    .filter((type) => !type.name.startsWith('__'))
    .flatMap((type) => {
      const own = schema.getType(type.name);
      if (!own) return [`${type.name} is missing.`];
      if (own.constructor !== type.constructor) return [`${type.name} is another kind of type.`];
      return compareTypes(type, own);
    });
}
function compareTypes(type, own) {
  if (isEnumType(type) && isEnumType(own))
    return missing(type.name, names(type.getValues()), names(own.getValues()));
  if (isUnionType(type) && isUnionType(own))
    return missing(type.name, names(type.getTypes()), names(own.getTypes()));
  if (isInputObjectType(type) && isInputObjectType(own)) {
    const extra = Object.values(own.getFields()).filter(
      (field) =>
        !(field.name in type.getFields()) &&
        String(field.type).endsWith('!') &&
        field.defaultValue === undefined,
    );
    return [
      ...compareValues(type.name, Object.values(type.getFields()), Object.values(own.getFields())),
      ...extra.map((field) => `${type.name}.${field.name} is required here and not in the contract.`),
    ];
  }
  if ((isObjectType(type) && isObjectType(own)) || (isInterfaceType(type) && isInterfaceType(own))) {
    const ownFields = own.getFields();
    return [
      ...missing(`${type.name} implements`, names(type.getInterfaces()), names(own.getInterfaces())),
      ...Object.values(type.getFields()).flatMap((field) => {
        const same = ownFields[field.name];
        const where = `${type.name}.${field.name}`;
        if (!same) return [`${where} is missing.`];
        const wrongType =
          String(same.type) === String(field.type)
            ? []
            : [`${where} is ${String(same.type)}, not ${String(field.type)}.`];
        return [...wrongType, ...compareValues(where, [...field.args], [...same.args])];
      }),
    ];
  }
  return [];
}
function compareValues(where, wanted, own) {
  return wanted.flatMap((value) => {
    const same = own.find((it) => it.name === value.name);
    if (!same) return [`${where}(${value.name}) is missing.`];
    const isEqual =
      String(same.type) === String(value.type) &&
      JSON.stringify(same.defaultValue) === JSON.stringify(value.defaultValue);
    return isEqual
      ? []
      : [
          `${where}(${value.name}) is ${String(same.type)} = ${JSON.stringify(same.defaultValue)}, not ${String(value.type)} = ${JSON.stringify(value.defaultValue)}.`,
        ];
  });
}
const names = (items) => items.map((item) => item.name);
const missing = (where, wanted, own) =>
  wanted.filter((name) => !own.includes(name)).map((name) => `${where} lacks ${name}.`);
//# sourceMappingURL=missing-from-schema.js.map
