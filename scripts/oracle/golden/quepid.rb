# Ratings as Quepid's own templates write them: core/intake/golden/testdata/quepid.csv, rre.json.
# usage: ruby quepid.rb QUEPID OUT   (QUEPID is a clone of o19s/quepid at f80322f, of the release 8.6.0; it takes jbuilder)
require 'erb'
require 'csv'
require 'json'
require 'active_support'
require 'active_support/core_ext'
require 'jbuilder'

quepid, out = ARGV
show = ->(name) { IO.popen(['git', '-C', quepid, 'show', "f80322f:app/views/api/v1/export/ratings/#{name}"], &:read) }

Ratings = Struct.new(:fully_rated)
Rating = Struct.new(:doc_id, :rating)
Query = Struct.new(:query_text, :ratings)
Tries = Struct.new(:latest)
Try = Struct.new(:id_from_field_spec, :index_name_from_search_url)
Case = Struct.new(:tries, :queries)

rated = lambda do |text, grades|
  Query.new(text, Ratings.new(grades.map { |id, grade| Rating.new(id, grade) })) # a rating is a float in its database
end
@case = Case.new(Tries.new(Try.new('id', 'help')), [
  rated.call('forgotten password', { 'reset-password.md' => 3.0, 'invoices.md' => 0.0, 'change-email.md' => 1.0 }),
  rated.call('refund an order', { 'refunds.md' => 2.0 }),
  rated.call('parcels, islands', {})
])

# As ratings_controller.rb has it: rows without ratings are padded.
@csv_array = [%w[query docid rating]]
@case.queries.each do |query|
  @csv_array << [query.query_text, nil, nil] if query.ratings.fully_rated.empty?
  query.ratings.fully_rated.each { |rating| @csv_array << [query.query_text, rating.doc_id, rating.rating] }
end
File.write("#{out}/quepid.csv", ERB.new(show.call('show.csv.erb')).result(binding).lstrip)

# The partial of each query, which Rails would find.
$partial = lambda do |name, json, query|
  eval(show.call("_#{name}.json.jbuilder"), binding)
end
class Jbuilder
  alias plain_array! array!
  def array!(list = [], *attributes, partial: nil, as: nil, &block)
    return plain_array!(list, *attributes, &block) unless partial

    json = self
    plain_array!(list) { |query| $partial.call(partial, json, query) }
  end
end
json = Jbuilder.new
eval(show.call('show_rre.json.jbuilder'))
File.write("#{out}/rre.json", json.target! + "\n")
